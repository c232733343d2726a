"""What a BUILD file gives the macro, and the message."""

CALL = {
    "specs": "publish",
    "ga_name": "v1",
    "versions": {"2020-01-01": []},
}

WANT = [
    'specs is "publish": expected "tree" or "published"',
    'ga_name is "v1", which lacks {date}: all versions would have one name',
    "version 2020-01-01 names no document: list them, or drop the version",
]
