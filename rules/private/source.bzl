"""The Go files of a generated package: one rule for each action."""

load(":action.bzl", "run_verb", "verb")
load(":providers.bzl", "ArmPlanInfo", "ArmVersionInfo")

_TYPES = {"types": "types.go", "register": "register.go", "deepcopy": "deepcopy.go"}
_CONVERSIONS = {"conversion": "conversion.go"}
_LAWS = {"laws": "testdata/laws.json"}

def _source_rule(mnemonic, verb_name, files, reads, doc, data = {}, attrs = {}, flags = lambda ctx, args: None):
    """Returns a rule that emits some files of a package.

    The names of the files do not depend on specs, so that go_library can list
    them. Data that tests read is in an output group for each of its flags.

    Args:
      mnemonic: the mnemonic of the action.
      verb_name: the name of the verb.
      files: a dict from the verb's flag to the name of the file.
      reads: the field of ArmVersionInfo that the verb reads.
      doc: the rule's documentation.
      data: as files, for data.
      attrs: further attributes.
      flags: a function that adds the flags for the further attributes.

    Returns:
      the rule.
    """

    def _impl(ctx):
        plan = ctx.attr.plan[ArmPlanInfo].packages[ctx.attr.package]
        version = getattr(ctx.attr.version[ArmVersionInfo], reads)
        outs = {flag: ctx.actions.declare_file("%s/%s" % (ctx.attr.package, name)) for flag, name in (files | data).items()}
        args = ctx.actions.args()
        args.add(plan, format = "--plan=%s")
        args.add(version, format = "--" + reads + "=%s")
        flags(ctx, args)
        for flag, file in outs.items():
            args.add(file, format = "--" + flag + "=%s")

        # The stamp is always empty, so a check that passes again does not run the action again.
        inputs = [plan, version] + ctx.files.check
        run_verb(ctx, mnemonic, args, inputs, outs.values(), ctx.attr.package)
        return [
            DefaultInfo(files = depset([outs[flag] for flag in files])),
            OutputGroupInfo(**{flag: depset([outs[flag]]) for flag in data}),
        ]

    return rule(doc = doc, implementation = _impl, attrs = {
        "check": attr.label(doc = "The group's arm_check. What it refuses is not generated."),
        "package": attr.string(mandatory = True, doc = "The package's name."),
        "plan": attr.label(mandatory = True, providers = [ArmPlanInfo], doc = "The group's arm_plan."),
        "version": attr.label(mandatory = True, providers = [ArmVersionInfo], doc = "The package's API version."),
        "_tool": verb(verb_name),
    } | attrs)

arm_types = _source_rule(
    "ArmTypes",
    "armtypes",
    _TYPES,
    "ir",
    "Writes the types of an API version with docs and markers, their registration and their deep copies.",
)

arm_convert = _source_rule(
    "ArmConvert",
    "armconvert",
    _CONVERSIONS,
    "limits",
    """Writes the conversions of an API version to its storage version and back, and as output group "laws" what the
tests of the package read: waivers, and what values are valid. It is data and not code, so that a change of it compiles
nothing. Conversions do not depend on limits, so that a change of these changes the data alone.""",
    data = _LAWS,
)

def _storage_flags(ctx, args):
    args.add(ctx.label.package, format = "--dir=%s")
    args.add_all(ctx.attr.neighbours, format_each = "--neighbour=%s")

arm_storage = _source_rule(
    "ArmStorage",
    "armstorage",
    _TYPES | _CONVERSIONS,
    "api",
    """Writes all files of a storage version: its types, their registration and deep copies, and its conversions to
the next versions on the way to the hub and back, and what tests read as arm_convert does.""",
    data = _LAWS,
    attrs = {
        "neighbours": attr.string_list(
            doc = "The storage packages that it imports, from the lock. The action fails if the plan has others, " +
                  "before anything compiles.",
        ),
    },
    flags = _storage_flags,
)
