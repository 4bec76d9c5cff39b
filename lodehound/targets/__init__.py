"""The kinds of finds we ship, by the name ``--want`` knows them under."""

TARGETS = {
    "files": "lodehound.targets.files:Files",
    "markup": "lodehound.targets.markup:MarkupPages",
}
