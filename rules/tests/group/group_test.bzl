"""What the targets of a service group read, write and tell each other."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("//rules:defs.bzl", "ArmPlanInfo", "ArmVersionInfo")

_APIS = ["2020-01-01.api.json", "2021-01-01-preview.api.json"]
_LIMITS = ["2020-01-01.limits.json", "2021-01-01-preview.limits.json"]
_IRS = ["2020-01-01.ir.json", "2021-01-01-preview.ir.json"]
_NOTES = ["2020-01-01.notes.json", "2021-01-01-preview.notes.json"]
_PACKAGES = ["v20210101alpha1", "v20210101alpha1storage", "v20200101", "v20200101storage"]
_DIGESTS = ["2020-01-01.digests.json", "2021-01-01-preview.digests.json"]
_PLANS = [p + ".plan.json" for p in _PACKAGES]

# Each row is a promise about what a target's action reads, beside the verb, and what it writes. An input too many
# is an edit that rebuilds too much.
_ACTIONS = [
    struct(
        target = "config",
        mnemonic = "ArmConfig",
        inputs = ["group.yaml"],
        outputs = ["config.json"],
    ),
    struct(
        # The version's own files and no others: not spare.json beside them, not group.yaml.
        target = "2020-01-01",
        mnemonic = "ArmLoad",
        inputs = ["config.json", "specs/2020-01-01/common.json", "specs/2020-01-01/shop.json"],
        outputs = ["2020-01-01.%s.json" % kind for kind in ("api", "digests", "ir", "limits", "notes")],
    ),
    struct(
        # Signatures go into the plan, places into the check alone: an edit of a hook's body plans nothing.
        target = "hooks",
        mnemonic = "ArmHooks",
        inputs = ["augment/v20210101alpha1storage/cart.go"],
        outputs = ["hooks.json", "hooks.places.json"],
    ),
    struct(
        # Shapes alone: an edit of a description plans nothing.
        target = "plan",
        mnemonic = "ArmPlan",
        inputs = ["group.yaml", "hooks.json"] + _APIS,
        outputs = _PLANS,
    ),
    struct(
        # Docs, so the IR. Nothing is generated from a plan that the check refuses.
        target = "v20200101.types",
        mnemonic = "ArmTypes",
        inputs = ["2020-01-01.ir.json", "check.ok", "v20200101.plan.json"],
        outputs = ["v20200101/deepcopy.go", "v20200101/register.go", "v20200101/types.go"],
    ),
    struct(
        # No docs, so the shape. The laws know limits, which the conversions do not depend on.
        target = "v20200101.conversion",
        mnemonic = "ArmConvert",
        inputs = ["2020-01-01.limits.json", "v20200101.plan.json"],
        outputs = ["v20200101/conversion.go", "v20200101/testdata/laws.json"],
    ),
    struct(
        # Its own version and plan: what the neighbour looks like stands in the plan.
        target = "v20210101alpha1storage.source",
        mnemonic = "ArmStorage",
        inputs = ["2021-01-01-preview.api.json", "check.ok", "v20210101alpha1storage.plan.json"],
        outputs = ["v20210101alpha1storage/%s.go" % f for f in ("conversion", "deepcopy", "register", "types")] +
                  ["v20210101alpha1storage/testdata/laws.json"],
    ),
    struct(
        target = "crds",
        mnemonic = "ArmCRD",
        inputs = ["lock.bzl"] + _IRS + _PLANS,
        outputs = ["crds", "crds.sizes.md"],
    ),
    struct(
        # The finished folder: which webhook converts is no reason to make the CRDs again.
        target = "webhook_crds",
        mnemonic = "ArmWebhookCRDs",
        inputs = ["crds"],
        outputs = ["webhook_crds"],
    ),
    struct(
        # Shapes, not IRs: a sample says nothing of a description. Its values keep limits.
        target = "sample",
        mnemonic = "ArmSample",
        inputs = _LIMITS + _PLANS + ["samples.yaml"],
        outputs = ["sample"],
    ),
    struct(
        # Shapes and notes, not IRs: an edit of a description makes no report.
        target = "report",
        mnemonic = "ArmReport",
        inputs = ["group.yaml"] + _LIMITS + _NOTES + _PLANS,
        outputs = ["report.json", "report.md"],
    ),
    struct(
        target = "graph",
        mnemonic = "ArmGraph",
        inputs = _PLANS,
        outputs = ["graph.dot", "graph.json"],
    ),
    struct(
        # Docs, so the IRs: an edit of a description makes the pages of its group, and of no other.
        target = "site",
        mnemonic = "ArmSite",
        inputs = _IRS + ["group.yaml", "samples.yaml"] + _PLANS,
        outputs = ["site", "site.json"],
    ),
    struct(
        # The list of each group and no page, so that an edit of a description leaves it alone.
        target = "whole",
        mnemonic = "ArmFront",
        inputs = ["README.md", "front.md", "site.json"],
        outputs = ["whole/" + name for name in [
            "groups.js",
            "index.html",
            "kinds.html",
            "rules/tests/group/readme.html",
            "site.css",
            "site.js",
        ]],
    ),
    struct(
        target = "check",
        mnemonic = "ArmCheck",
        inputs = _DIGESTS + ["group.yaml", "hooks.places.json", "lock.bzl"] + _PLANS,
        outputs = ["check.ok"],
    ),
]

def _names(ctx, files):
    """Names within the package, sorted, without the tool and what it brings."""
    return sorted([
        f.short_path.removeprefix(ctx.label.package + "/")
        for f in files
        if not f.owner.package.startswith("generator/cmd/")
    ])

def _action_impl(ctx):
    env = analysistest.begin(ctx)
    actions = [a for a in analysistest.target_actions(env) if a.mnemonic.startswith("Arm")]
    asserts.equals(env, [ctx.attr.mnemonic], [a.mnemonic for a in actions])
    for action in actions:
        asserts.equals(env, sorted(ctx.attr.inputs), _names(ctx, action.inputs.to_list()))
        asserts.equals(env, sorted(ctx.attr.outputs), _names(ctx, action.outputs.to_list()))
    return analysistest.end(env)

_action_test = analysistest.make(_action_impl, attrs = {
    "inputs": attr.string_list(),
    "mnemonic": attr.string(),
    "outputs": attr.string_list(),
})

def _image_impl(ctx):
    env = analysistest.begin(ctx)
    [action] = [a for a in analysistest.target_actions(env) if a.mnemonic == "ArmImage"]
    programs = [f for f in action.inputs.to_list() if f.owner == ctx.attr.binary.label]
    asserts.equals(env, ctx.attr.programs, len(programs))
    asserts.equals(env, ctx.attr.programs, len({f.root.path: None for f in programs}))
    return analysistest.end(env)

_image_test = analysistest.make(_image_impl, attrs = {
    "binary": attr.label(),
    "programs": attr.int(),
})

def _version_info_impl(ctx):
    env = analysistest.begin(ctx)
    info = analysistest.target_under_test(env)[ArmVersionInfo]
    asserts.equals(env, "2020-01-01", info.api_version)
    files = [f.basename for f in [info.api, info.ir, info.limits, info.notes]]
    asserts.equals(env, ["2020-01-01.%s.json" % kind for kind in ("api", "ir", "limits", "notes")], files)
    return analysistest.end(env)

_version_info_test = analysistest.make(_version_info_impl)

def _plan_info_impl(ctx):
    env = analysistest.begin(ctx)
    packages = analysistest.target_under_test(env)[ArmPlanInfo].packages
    asserts.equals(env, {p: p + ".plan.json" for p in _PACKAGES}, {p: f.basename for p, f in packages.items()})
    return analysistest.end(env)

_plan_info_test = analysistest.make(_plan_info_impl)

def _pages_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    pages = ["crds.sizes.md", "graph.dot", "report.json", "report.md"]
    asserts.equals(env, pages, _names(ctx, target[OutputGroupInfo]._validation.to_list()))
    asserts.equals(env, [], target[DefaultInfo].files.to_list())
    return analysistest.end(env)

_pages_test = analysistest.make(_pages_impl)

def _command_impl(ctx):
    env = analysistest.begin(ctx)

    # A command's verb runs when somebody runs the command, and reads what is in the runfiles.
    asserts.equals(env, [], [a.mnemonic for a in analysistest.target_actions(env) if a.mnemonic.startswith("Arm")])
    info = analysistest.target_under_test(env)[DefaultInfo]
    script = analysistest.target_under_test(env).label.name + ".sh"
    asserts.equals(env, [script], _names(ctx, info.files.to_list()))
    asserts.equals(env, sorted([script] + ctx.attr.reads), _names(ctx, info.default_runfiles.files.to_list()))
    return analysistest.end(env)

_command_test = analysistest.make(_command_impl, attrs = {"reads": attr.string_list()})

def _manual_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, ["generated_page", "graph", "image", "lock.update", "renames", "report", "same_folder", "site", "whole"], sorted(ctx.attr.manual))
    return unittest.end(env)

_manual_test = unittest.make(_manual_impl, attrs = {"manual": attr.string_list()})

def _goldens_impl(ctx):
    env = unittest.begin(ctx)
    laws = [":%s.laws" % p for p in _PACKAGES if not p.endswith("storage")]
    asserts.equals(env, sorted([":plan"] + laws + [
        ":testdata/hooks/Cart/%s/full.json" % pair
        for pair in ["latest_to_v20210101alpha1", "v20210101alpha1_to_latest"]
    ]), sorted(ctx.attr.data))
    return unittest.end(env)

_goldens_test = unittest.make(_goldens_impl, attrs = {"data": attr.string_list()})

def _elsewhere_impl(ctx):
    env = analysistest.begin(ctx)
    for words in [
        "not below module = \"github.com/armature-dev/armature/rules/tests/gro\" for these groups:",
        "github.com/armature-dev/armature/rules/tests/group",
        "Expected a module path that all import paths begin with",
    ]:
        asserts.expect_failure(env, words)
    return analysistest.end(env)

_elsewhere_test = analysistest.make(_elsewhere_impl, expect_failure = True)

def _refused_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, ctx.attr.words)
    return analysistest.end(env)

_refused_test = analysistest.make(_refused_impl, attrs = {"words": attr.string()}, expect_failure = True)

def group_test_suite(name):
    """All tests of the targets that arm_service_group declares in this package."""
    tests = []
    for row in _ACTIONS:
        tests.append("%s_%s_test" % (name, row.mnemonic))
        _action_test(
            name = tests[-1],
            inputs = row.inputs,
            mnemonic = row.mnemonic,
            outputs = row.outputs,
            target_under_test = ":" + row.target,
        )
    for target, test in {"2020-01-01": _version_info_test, "plan": _plan_info_test}.items():
        tests.append("%s_%s_info_test" % (name, target))
        test(name = tests[-1], target_under_test = ":" + target)

    for target, reads in {
        # Not the check's result: the command runs when the check fails. The specs, because it reads them if names
        # change.
        "lock.update": _DIGESTS + _PLANS + [
            "config.json",
            "group.yaml",
            "hooks.json",
            "lock.bzl",
            "specs/2020-01-01/common.json",
            "specs/2020-01-01/shop.json",
            "specs/2021-01-01-preview/shop.json",
        ],
        "renames": ["group.yaml"] + _IRS + _PLANS,
    }.items():
        tests.append("%s_%s_test" % (name, target))
        _command_test(name = tests[-1], reads = reads, target_under_test = ":" + target)

    # An image has a program for each architecture, and one that is for the machine that builds has one.
    for target, programs in {"host_image": 1, "image": 2}.items():
        tests.append("%s_%s_test" % (name, target))
        _image_test(
            name = tests[-1],
            binary = "//rules/tests/action/echo",
            programs = programs,
            target_under_test = ":" + target,
        )

    # `build //apis/...` builds all that is not manual: no tool that nobody has asked for.
    tests.append(name + "_manual_test")
    _manual_test(
        name = tests[-1],
        manual = [
            target
            for target, rule in native.existing_rules().items()
            if rule["kind"].startswith("arm_") and "manual" in rule["tags"]
        ],
    )

    # A package keeps its import path, so a Go module of it has a path above.
    tests.append(name + "_elsewhere_test")
    _elsewhere_test(name = tests[-1], target_under_test = ":elsewhere")

    for target, words in {
        "generated_page": "found rules/tests/group/generated.md, which is generated",
        "same_folder": "found \"group\" twice among the groups and the docs",
    }.items():
        tests.append("%s_%s_test" % (name, target))
        _refused_test(name = tests[-1], target_under_test = ":" + target, words = words)

    # What hooks do depends on the golden files and, for which pairs there are, on the plans. These are data: a plan
    # that changes compiles nothing of the test.
    tests.append(name + "_goldens_test")
    _goldens_test(name = tests[-1], data = native.existing_rule("hooks_test")["data"])

    # `test //apis/...` builds the pages, which are manual.
    tests.append(name + "_pages_test")
    _pages_test(name = tests[-1], target_under_test = ":pages")
    native.test_suite(name = name, tests = tests)
