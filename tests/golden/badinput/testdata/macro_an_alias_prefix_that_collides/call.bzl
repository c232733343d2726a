"""What a BUILD file gives the macro, and the message."""

CALL = {
    "alias_prefix": "v1beta",
    "aliases": ["2020-01-01"],
    "versions": {"2020-01-01": ["specs/2020-01-01/shop.json"]},
}

WANT = ["the alias of version 2020-01-01 has the Kubernetes name v1beta20200101, which version 2020-01-01 has already: expected another alias_prefix than \"v1beta\""]
