"""The kinds of finds we ship, by the name ``--want`` knows them under."""

TARGETS = {
    "files": "lodehound.targets.files:Files",
    "topic": "lodehound.targets.topic:Topic",
}
