"""Published specs, as the rules see them."""

PUBLISHED = struct(files = None)
