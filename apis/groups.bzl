"""The service groups of this repository, for what is made of all of them."""

load("@arm_groups//:groups.bzl", "CHOSEN")
load("//rules/private:nearest.bzl", "did_you_mean")

# Services of Azure whose specs are in the tree.
IN_TREE = [
    "//apis/cache",
]

# Made-up services, for the demo, the docs and the tests. No release has them.
MADE_UP = [
    "//apis/crm",
]

# Their facts are in the tree, and their specs in a checkout of the published ones.
PUBLISHED = [
    "//apis/alertsmanagement",
    "//apis/apimanagement",
    "//apis/app",
    "//apis/appconfiguration",
    "//apis/authorization",
    "//apis/automation",
    "//apis/batch",
    "//apis/cdn",
    "//apis/cognitiveservices",
    "//apis/communication",
    "//apis/compute",
    "//apis/consumption",
    "//apis/containerinstance",
    "//apis/containerregistry",
    "//apis/containerservice",
    "//apis/dashboard",
    "//apis/databasewatcher",
    "//apis/databricks",
    "//apis/datafactory",
    "//apis/dataprotection",
    "//apis/dbformariadb",
    "//apis/dbformysql",
    "//apis/dbforpostgresql",
    "//apis/desktopvirtualization",
    "//apis/devices",
    "//apis/documentdb",
    "//apis/eventgrid",
    "//apis/eventhub",
    "//apis/fabric",
    "//apis/hdinsight",
    "//apis/insights",
    "//apis/keyvault",
    "//apis/kubernetesconfiguration",
    "//apis/kusto",
    "//apis/logic",
    "//apis/machinelearningservices",
    "//apis/maintenance",
    "//apis/managedidentity",
    "//apis/monitor",
    "//apis/netapp",
    "//apis/network",
    "//apis/notificationhubs",
    "//apis/operationalinsights",
    "//apis/purview",
    "//apis/quota",
    "//apis/recoveryservices",
    "//apis/redhatopenshift",
    "//apis/relay",
    "//apis/resources",
    "//apis/search",
    "//apis/servicebus",
    "//apis/signalrservice",
    "//apis/sql",
    "//apis/storage",
    "//apis/streamanalytics",
    "//apis/subscription",
    "//apis/synapse",
    "//apis/web",
]

def _chosen(groups):
    """Returns those of groups that ARMATURE_GROUPS names, or all if it is not set."""
    return [g for g in groups if CHOSEN == None or g.rpartition("/")[2] in CHOSEN]

def _check():
    """Fails if ARMATURE_GROUPS names what is no group."""
    known = sorted([g.rpartition("/")[2] for g in IN_TREE + MADE_UP + PUBLISHED])
    unknown = ['"%s"%s' % (name, did_you_mean(name, known)) for name in CHOSEN or [] if name not in known]
    if unknown:
        fail("ARMATURE_GROUPS: found %s; expected groups of apis/groups.bzl: %s" % (", ".join(unknown), ", ".join(known)))

_check()

# What a release has.
RELEASED = _chosen(IN_TREE + PUBLISHED)

# Those that are built here.
BUILT = RELEASED + _chosen(MADE_UP)
