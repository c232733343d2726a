"""The service groups of this repository, for what is made of all of them."""

load("@arm_specs//:closures.bzl", "CLOSURES")

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

# Those that are built here: without a checkout of the published specs, only the others.
BUILT = IN_TREE + MADE_UP + ([] if CLOSURES == None else PUBLISHED)
