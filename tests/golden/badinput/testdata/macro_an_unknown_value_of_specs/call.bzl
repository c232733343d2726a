"""What a BUILD file gives the macro, and the message."""

CALL = {
    "specs": "publish",
    "patterns": {"ga_name": "v1", "preview_name": "v{date}alpha1", "other_preview_name": "v0alpha{date}"},
    "versions": {
        "2020-01-01": [],
        "2021-01-01": ["specs/shop.json", "swagger:specs/shop.json"],
    },
}

WANT = [
    'specs is "publish": expected "tree", or for published specs SPECS, which load("@<name of the module>_specs//:specs.bzl", "SPECS") has',
    'ga_name is "v1", which lacks {date}: all versions would have the same name',
    "version 2020-01-01 names no documents, and there is no specs/2020-01-01.facts.json: list documents, add that file, or drop the version",
    "version 2021-01-01 names specs/shop.json twice: remove one of the entries",
]
