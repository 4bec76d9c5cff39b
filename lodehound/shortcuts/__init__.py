"""The built-in shortcuts, by their names in ``--shortcuts``; one file each.

To add one: a file with a class that derives from Shortcut (lodehound.shortcuts.contract), a line
here, tests and recorded answers in tests/shortcuts, and a line in docs/shortcuts.md.
"""

SHORTCUTS = {
    "ckan": "lodehound.shortcuts.ckan:Ckan",
    "wordpress": "lodehound.shortcuts.wordpress:Wordpress",
    "directory": "lodehound.shortcuts.directory:Directory",
    "bucket": "lodehound.shortcuts.bucket:Bucket",
    "feed": "lodehound.shortcuts.feed:Feed",
    "sitemap": "lodehound.shortcuts.sitemap:SitemapFiles",
    "dcat-us": "lodehound.shortcuts.dcat_us:DcatUs",
    "dcat-rdf": "lodehound.shortcuts.dcat_rdf:DcatRdf",
    "arcgis-hub": "lodehound.shortcuts.arcgis_hub:ArcgisHub",
    "arcgis-server": "lodehound.shortcuts.arcgis_server:ArcgisServer",
    "opendatasoft": "lodehound.shortcuts.opendatasoft:Opendatasoft",
    "socrata": "lodehound.shortcuts.socrata:Socrata",
    "dkan": "lodehound.shortcuts.dkan:Dkan",
    "datasette": "lodehound.shortcuts.datasette:Datasette",
    "drupal": "lodehound.shortcuts.drupal:Drupal",
    "dataverse": "lodehound.shortcuts.dataverse:Dataverse",
    "oai-pmh": "lodehound.shortcuts.oai_pmh:OaiPmh",
    "dspace": "lodehound.shortcuts.dspace:Dspace",
    "invenio": "lodehound.shortcuts.invenio:Invenio",
    "figshare": "lodehound.shortcuts.figshare:Figshare",
    "erddap": "lodehound.shortcuts.erddap:Erddap",
    "thredds": "lodehound.shortcuts.thredds:Thredds",
    "pxweb": "lodehound.shortcuts.pxweb:Pxweb",
    "json-stat": "lodehound.shortcuts.json_stat:JsonStat",
    "sdmx": "lodehound.shortcuts.sdmx:Sdmx",
    "stac": "lodehound.shortcuts.stac:Stac",
    "nada": "lodehound.shortcuts.nada:Nada",
    "csw": "lodehound.shortcuts.csw:Csw",
    "ogc-records": "lodehound.shortcuts.ogc_records:OgcRecords",
    "udata": "lodehound.shortcuts.udata:Udata",
    "schema-org": "lodehound.shortcuts.schema_org:SchemaOrg",
    "croissant": "lodehound.shortcuts.croissant:Croissant",
    "datapackage": "lodehound.shortcuts.datapackage:Datapackage",
    "opds": "lodehound.shortcuts.opds:Opds",
}
