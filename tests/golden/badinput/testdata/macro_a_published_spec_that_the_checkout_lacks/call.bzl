"""What a BUILD file gives the macro, and the message. The checkout of the test has shop/2020-01-01/{carts,orders}.json."""

load("//tests/golden/badinput:published.bzl", "PUBLISHED")

CALL = {
    "specs": PUBLISHED,
    "versions": {
        "2020-01-01": ["shop/2020-01-01/cart.json", "shop/2020-01-01/orders.json"],
        "2021-01-01": ["shop/2021-01-01/carts.json"],
        "2022-01-01": ["store/2022-01-01/carts.json"],
    },
}

WANT = [
    "version 2020-01-01 names shop/2020-01-01/cart.json, which the checkout in ARMATURE_SPECS lacks: that folder has carts.json, orders.json",
    "version 2021-01-01 names shop/2021-01-01/carts.json, which the checkout in ARMATURE_SPECS lacks: there is one in shop/2020-01-01",
    "version 2022-01-01 names store/2022-01-01/carts.json, which the checkout in ARMATURE_SPECS lacks: `./bazelw run //tools/specs` makes a complete checkout",
]
