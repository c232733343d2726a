"""What a BUILD file gives the macro, and the messages."""

CALL = {
    "augment": [
        "augment/v20200101storage/cart.go",
        "augment/v20200101alpha1storage/cart.go",
        "augment/cart.go",
    ],
    "versions": {"2020-01-01": ["specs/2020-01-01/shop.json"]},
}

WANT = [
    "augment has augment/v20200101alpha1storage/cart.go, and there is no package v20200101alpha1storage: expected one of v20200101, v20200101storage",
    "augment has augment/cart.go: expected augment/<package>/<file>.go",
]
