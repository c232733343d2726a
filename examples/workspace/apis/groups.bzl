"""The service groups of this repository."""

load("@petshop_specs//:specs.bzl", "SPECS")

# Their specs are in the tree.
IN_TREE = ["//apis/pet-shop"]

# Their specs are in a checkout of the published ones.
PUBLISHED = ["//apis/managedidentity"]

# Without a checkout, only the first are built.
GROUPS = IN_TREE + (PUBLISHED if SPECS.present else [])
