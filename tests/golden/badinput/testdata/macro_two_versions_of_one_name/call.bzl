"""What a BUILD file gives the macro, and the message."""

CALL = {
    "versions": {
        "2020-01-01": ["specs/2020-01-01/shop.json"],
        "2020-01-01-preview": ["specs/2020-01-01-preview/shop.json"],
        "2020-01-01-beta": ["specs/2020-01-01-beta/shop.json"],
    },
}

WANT = ["the versions 2020-01-01-preview and 2020-01-01-beta both come to the name v1alpha20200101: publish one of them"]
