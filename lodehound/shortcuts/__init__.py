"""The built-in shortcuts, by their names in ``--shortcuts``; one file each.

To add one: a file with a class that derives from Shortcut (lodehound.shortcuts.contract), a line
here, tests and recorded answers in tests/shortcuts, and a line in docs/shortcuts.md.
"""

SHORTCUTS = {
    "ckan": "lodehound.shortcuts.ckan:Ckan",
    "dcat-us": "lodehound.shortcuts.dcat_us:DcatUs",
    "dcat-rdf": "lodehound.shortcuts.dcat_rdf:DcatRdf",
    "arcgis-hub": "lodehound.shortcuts.arcgis_hub:ArcgisHub",
}
