"""The built-in targets, by their names in ``--want``."""

TARGETS = {
    "files": "lodehound.targets.files:Files",
    "rdf": "lodehound.targets.rdf:RdfDocuments",
    "markup": "lodehound.targets.markup:MarkupPages",
    "topic": "lodehound.targets.topic:Topic",
}
