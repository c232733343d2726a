"""What a BUILD file gives the macro, and the message."""

CALL = {
    "importpath": "example.com/apis/shop/",
    "versions": {"2020-01-01": ["a.json"]},
}

WANT = [
    'importpath is "example.com/apis/shop/": expected a Go import path without a slash at its ends, such as "example.com/apis/shop"',
]
