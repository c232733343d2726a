"""The packages of the runtime."""

# These and what they import are all packages that docs/stability.md lists.
PACKAGES = [
    "//runtime/arm/armtest",
    "//runtime/deepcopy",
    "//runtime/laws",
    "//runtime/reconcile/command",
    "//runtime/reconcile/command/commandtest",
    "//runtime/untyped/untypedtest",
    "//runtime/webhook/command",
]
