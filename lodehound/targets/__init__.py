"""The kinds of finds we ship, by the name ``--want`` knows them under."""

TARGETS = {
    "files": "lodehound.targets.files:Files",
    "rdf": "lodehound.targets.rdf:RdfDocuments",
    "markup": "lodehound.targets.markup:MarkupPages",
    "topic": "lodehound.targets.topic:Topic",
}
