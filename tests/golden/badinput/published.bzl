"""A checkout of published specs, as the rules see one."""

PUBLISHED = struct(
    present = True,
    closures = {"shop/2020-01-01/carts.json": [], "shop/2020-01-01/orders.json": []},
)
