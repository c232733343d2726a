"""Declares the tests of a service group."""

load("@rules_go//go:def.bzl", "go_test")
load(":command.bzl", "ENV")
load(":tests.bzl", "arm_goldens", "arm_laws", "arm_pairs")
load(":versions.bzl", "storage_name")

# The environment of a test of laws: the command for messages, and a garbage collector that runs less often, because
# such a test allocates much and keeps little.
_LAWS_ENV = ENV | {"GOGC": "400"}

# A timeout ends a test that hangs: how long a test takes depends on what else the machine does.
_TIMEOUT = "eternal"

# What `build` leaves out (.bazelrc): a fifth of the time of building a group would go into linking its tests.
_TEST_TAG = "generated-test"

# With more kinds than this an API version and the storage version behind it are tested in two processes: on many
# machines the largest test would take longer than all else.
_KINDS_OF_ONE_PROCESS = 16

# The greatest number of processes for the test of all pairs.
_SHARDS = 4

def version_tests(group, p):
    """Declares the tests of the packages of an API version or an alias.

    Args:
      group: what the packages of a group share.
      p: the package, as of version_targets.
    """
    api = p.api
    storage = storage_name(api)
    kinds = len([r for r in group.lock.get("resources", {}).values() if api in r["versions"]])
    arm_laws(
        name = api + ".tests",
        api = api,
        import_prefix = group.prefix,
        storage = storage,
    )
    go_test(
        name = api + "_test",
        timeout = _TIMEOUT,
        srcs = [api + ".tests"],
        data = [api + ".laws", storage + ".laws"],
        env = _LAWS_ENV,
        rundir = native.package_name() + "/" + api,
        shard_count = 2 if kinds > _KINDS_OF_ONE_PROCESS else None,
        tags = group.tags + [_TEST_TAG],
        deps = [
            ":" + api,
            ":" + storage,
            Label("//runtime/laws"),
        ],
    )

def group_tests(group):
    """Declares the tests of the conversions between all versions of a group, and of its hooks.

    Args:
      group: what the packages of a group share.
    """
    arm_pairs(
        name = "pairs.source",
        group = group.group,
        import_prefix = group.prefix,
        packages = group.apis,
    )
    go_test(
        name = "pairs_test",
        timeout = _TIMEOUT,
        srcs = ["pairs.source"],
        data = [p + ".laws" for p in group.apis],
        env = _LAWS_ENV,
        # A folder beside those of the packages.
        rundir = native.package_name() + "/" + group.apis[0],
        shard_count = min(len(group.apis), _SHARDS),
        tags = group.tags + [_TEST_TAG],
        deps = [
            ":scheme",
            Label("//runtime/laws"),
        ],
    )
    if group.augment:
        arm_goldens(
            name = "hooks.source",
            import_prefix = group.prefix,
        )
        go_test(
            name = "hooks_test",
            timeout = _TIMEOUT,
            srcs = ["hooks.source"],
            data = [":plan"] + [p + ".laws" for p in group.apis] + native.glob(["testdata/hooks/**/*.json"], allow_empty = True),
            env = _LAWS_ENV,
            tags = group.tags + [_TEST_TAG],
            deps = [
                ":scheme",
                Label("//generator/hooks"),
            ],
        )
