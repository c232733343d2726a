"""What a BUILD file gives the macro, and the message."""

load("//tests/golden/badinput:published.bzl", "PUBLISHED")

CALL = {
    "specs": PUBLISHED,
    "facts": {"2019-01-01": "specs/2019-01-01.facts.json", "2020-01-01": "specs/2020-01-01.facts.json"},
    "versions": {
        "2020-01-01": ["shop/2020-01-01/orders.json"],
        "2021-01-01": ["shop/2021-01-01/carts.json"],
    },
}

WANT = [
    "version 2021-01-01 has no specs/2021-01-01.facts.json: `./bazelw run //tools/add -- shop --update --stable=0` writes it",
    "there is specs/2019-01-01.facts.json, and versions has no 2019-01-01: remove the file, or list the version",
]
