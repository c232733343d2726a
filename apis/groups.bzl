"""The service groups of this repository, for what is made of all of them."""

load("@arm_specs//:specs.bzl", "SPECS")

# Services of Azure whose specs are in the tree.
IN_TREE = [
    "//apis/cache",
]

# Made-up services, for the demo, the docs and the tests. No release has them.
MADE_UP = [
    "//apis/crm",
]

# Their specs are in a checkout of the published ones.
PUBLISHED = [
    "//apis/app",
    "//apis/appconfiguration",
    "//apis/authorization",
    "//apis/batch",
    "//apis/compute",
    "//apis/containerinstance",
    "//apis/containerregistry",
    "//apis/containerservice",
    "//apis/dataprotection",
    "//apis/dbformysql",
    "//apis/dbforpostgresql",
    "//apis/documentdb",
    "//apis/eventgrid",
    "//apis/eventhub",
    "//apis/keyvault",
    "//apis/kusto",
    "//apis/managedidentity",
    "//apis/network",
    "//apis/resources",
    "//apis/servicebus",
    "//apis/signalrservice",
    "//apis/sql",
    "//apis/storage",
    "//apis/web",
]

# What a release has: without a checkout of the published specs, only the others.
RELEASED = IN_TREE + (PUBLISHED if SPECS.present else [])

# Those that are built here.
BUILT = RELEASED + MADE_UP
