"""What a BUILD file gives the macro, and the messages."""

CALL = {
    "aliases": {
        "V1": ["2020-01-02", "2020-01-01", "2020-01-01"],
        "v1old": [],
    },
    "versions": {"2020-01-01": ["specs/2020-01-01/shop.json"]},
}

WANT = [
    "aliases has the prefix \"V1\": expected small letters and digits, such as \"v1alpha1api\"",
    "aliases[\"V1\"] has 2020-01-02, which is no version of the group: expected some of 2020-01-01",
    "aliases[\"V1\"] has 2020-01-01 twice: remove one of the entries",
    "aliases[\"v1old\"] is empty: list the versions that group.yaml has aliases of, or drop the prefix",
]
