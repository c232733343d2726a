"""What a BUILD file gives the macro, and the messages."""

CALL = {
    "aliases": ["2020-01-02", "2020-01-01", "2020-01-01"],
    "versions": {"2020-01-01": ["specs/2020-01-01/shop.json"]},
}

WANT = [
    "aliases lists versions, and alias_prefix is empty: give one, such as \"v1alpha1api\"",
    "aliases has 2020-01-02, which is no version of the group: expected some of 2020-01-01",
    "aliases has 2020-01-01 twice: remove one of the entries",
]
