"""The service groups of this repository."""

# Their specs are in the tree.
IN_TREE = ["//apis/pet-shop"]

# Their facts are in the tree, and their specs in a checkout of the published ones.
PUBLISHED = ["//apis/managedidentity"]

GROUPS = IN_TREE + PUBLISHED
