"""What a BUILD file gives the macro, and the messages."""

CALL = {
    "augment": [
        "augment/v1beta20200101storage/cart.go",
        "augment/v1alpha20200101storage/cart.go",
        "augment/cart.go",
    ],
    "versions": {"2020-01-01": ["specs/2020-01-01/shop.json"]},
}

WANT = [
    "augment has augment/v1alpha20200101storage/cart.go, and there is no package v1alpha20200101storage: expected one of v1beta20200101, v1beta20200101storage",
    "augment has augment/cart.go: expected augment/<package>/<file>.go",
]
