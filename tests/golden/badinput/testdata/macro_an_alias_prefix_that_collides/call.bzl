"""What a BUILD file gives the macro, and the message."""

CALL = {
    "alias_prefix": "v1beta",
    "aliases": ["2020-01-01"],
    "versions": {"2020-01-01": ["specs/2020-01-01/shop.json"]},
}

WANT = ["the alias of version 2020-01-01 comes to the name v1beta20200101, which is that of version 2020-01-01: give another alias_prefix than \"v1beta\""]
