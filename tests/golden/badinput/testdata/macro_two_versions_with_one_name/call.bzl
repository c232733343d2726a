"""What a BUILD file gives the macro, and the message."""

CALL = {
    "versions": {
        "2020-01-01": ["specs/2020-01-01/shop.json"],
        "2020-01-01-alpha": ["specs/2020-01-01-alpha/shop.json"],
        "2020-01-01-beta": ["specs/2020-01-01-beta/shop.json"],
    },
}

WANT = ["the versions 2020-01-01-alpha and 2020-01-01-beta both have the Kubernetes name v0alpha20200101: publish one of them"]
