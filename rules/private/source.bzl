"""The Go files of a generated package: one rule for each kind of file."""

load(":action.bzl", "run_verb", "verb")
load(":providers.bzl", "ArmPlanInfo", "ArmVersionInfo")

def _source_rule(mnemonic, verb_name, files, reads, doc, tests = {}):
    """Makes a rule that emits some files of a package.

    The names of the files depend on nothing in a spec, so that go_library can
    name them.

    Args:
      mnemonic: of the action.
      verb_name: the verb.
      files: a dict from the verb's flag to the name of the file.
      reads: the field of ArmVersionInfo that the verb reads.
      doc: the rule's documentation.
      tests: like files: the files of the package's tests, which are the output
        group `tests`.

    Returns:
      the rule.
    """

    def _impl(ctx):
        plan = ctx.attr.plan[ArmPlanInfo].packages[ctx.attr.package]
        version = getattr(ctx.attr.version[ArmVersionInfo], reads)
        outs = {flag: ctx.actions.declare_file("%s/%s" % (ctx.attr.package, name)) for flag, name in (files | tests).items()}
        args = ctx.actions.args()
        args.add(plan, format = "--plan=%s")
        args.add(version, format = "--" + reads + "=%s")
        for flag, file in outs.items():
            args.add(file, format = "--" + flag + "=%s")
        run_verb(ctx, mnemonic, args, [plan, version], outs.values(), ctx.attr.package)
        return [
            DefaultInfo(files = depset([outs[flag] for flag in files])),
            OutputGroupInfo(tests = depset([outs[flag] for flag in tests])),
        ]

    return rule(doc = doc, implementation = _impl, attrs = {
        "check": attr.label(doc = "The group's arm_check: whoever builds the package has the plan checked."),
        "package": attr.string(mandatory = True, doc = "The package's name."),
        "plan": attr.label(mandatory = True, providers = [ArmPlanInfo], doc = "The group's arm_plan."),
        "version": attr.label(mandatory = True, providers = [ArmVersionInfo], doc = "The package's API version."),
        "_tool": verb(verb_name),
    })

_TYPES = {"types": "types.go", "register": "register.go", "deepcopy": "deepcopy.go"}

arm_types = _source_rule(
    "ArmTypes",
    "armtypes",
    _TYPES,
    "ir",
    "The types of an API version, with docs and markers, their registration and their deep copies.",
)

arm_storage = _source_rule(
    "ArmStorage",
    "armstorage",
    _TYPES,
    "api",
    "The types of a storage version, their registration and their deep copies.",
)

arm_convert = _source_rule(
    "ArmConvert",
    "armconvert",
    {"out": "conversion.go"},
    "api",
    "The conversions of a package to the next one on the road to the hub, and back; and their tests: every resource, held to the laws.",
    tests = {"tests": "laws_test.go"},
)
