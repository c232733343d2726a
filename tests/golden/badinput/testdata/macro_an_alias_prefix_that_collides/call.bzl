"""What a BUILD file gives the macro, and the message."""

CALL = {
    "aliases": {"v": ["2020-01-01"]},
    "versions": {"2020-01-01": ["specs/2020-01-01/shop.json"]},
}

WANT = ["the alias of version 2020-01-01 has the Kubernetes name v20200101, which version 2020-01-01 has already: expected another prefix than \"v\""]
