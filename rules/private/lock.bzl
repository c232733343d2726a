"""Rules that compare the plan with the lock file that a person accepted, and that write a new lock file."""

load(":action.bzl", "run_verb", "verb")
load(":command.bzl", "call", "command", "short")
load(":providers.bzl", "ArmPlanInfo")

def _arm_check_impl(ctx):
    plans = ctx.attr.plan[ArmPlanInfo].packages.values()
    stamp = ctx.actions.declare_file(ctx.label.name + ".ok")
    args = ctx.actions.args()
    args.add(ctx.label.package, format = "--dir=%s")
    args.add(ctx.file.lock, format = "--lock=%s")
    args.add(ctx.file.config, format = "--config=%s")
    args.add_all(plans, format_each = "--plan=%s")
    digests = ctx.attr.plan[ArmPlanInfo].digests
    args.add_all(digests, format_each = "--digests=%s")
    places = ctx.attr.hooks[OutputGroupInfo].places.to_list() if ctx.attr.hooks else []
    args.add_all(places, format_each = "--places=%s")
    args.add(stamp, format = "--stamp=%s")
    inputs = plans + digests + [ctx.file.lock, ctx.file.config] + places
    run_verb(ctx, "ArmCheck", args, inputs, [stamp], "hubs and removals")
    return [DefaultInfo(files = depset([stamp]))]

_accepted = {
    "config": attr.label(mandatory = True, allow_single_file = [".yaml"], doc = "The group.yaml."),
    "lock": attr.label(mandatory = True, allow_single_file = [".bzl"], doc = "The hub lock."),
    "plan": attr.label(mandatory = True, providers = [ArmPlanInfo], doc = "The group's arm_plan."),
}

arm_check = rule(
    doc = "Fails the build if a hub changed and the lock file does not accept it, or if nobody has assessed the " +
          "removal of a property.",
    implementation = _arm_check_impl,
    attrs = _accepted | {
        "hooks": attr.label(
            doc = "The group's arm_hooks, if it has hand-written files. A hook that nothing calls is an error.",
        ),
        "_tool": verb("armcheck"),
    },
)

_UPDATE = """#!/bin/sh
# Overwrites the lock in the source tree with that of the current plan.
# --release=<alias version> releases an alias; a plan cannot say that.
set -eu
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
load={config} lock={lock}
{first} {written} "$@"
# The specs were read with the names that the lock kept. If those change, so may what the versions declare.
until cmp -s "$load" "$made/load.json"; do
  echo "names changed: reading the specs with them"
  load=$made/names.json lock=$made/names.bzl
  mv "$made/load.json" "$load"
  mv "$made/lock.bzl" "$lock"
  {again}
done
cp -f "$made/lock.bzl" "$BUILD_WORKSPACE_DIRECTORY/{package}/lock.bzl"
chmod 644 "$BUILD_WORKSPACE_DIRECTORY/{package}/lock.bzl"
echo "wrote {package}/lock.bzl"
"""

# The flags of armlock for the files that it reads and writes in each pass.
_WRITTEN = '"--lock=$lock" "--load=$load" "--load-out=$made/load.json" "--out=$made/lock.bzl"'

def _made(flag, name):
    """Returns a flag of the shell for a file in the temporary folder."""
    return '"--%s=$made/%s"' % (flag, name)

def _again(ctx, plan):
    """Returns lines of shell that read the specs with $load, plan the group, and write the files for $lock anew."""
    lines = []
    for v in plan.versions:
        paths = [value.short_path for _, value in v.flags if type(value) == "File"]
        roots = {"/".join(path.split("/")[:2]): None for path in paths if path.startswith("../")}
        words = [call(ctx.executable._load, short(v.flags) + ["--root=" + root for root in roots]), '"--load=$load"']
        words += [_made(kind, "%s.%s.json" % (v.api_version, kind)) for kind in ["ir", "api", "limits", "notes", "digests"]]
        lines.append(words)
    words = [call(ctx.executable._plan, short(plan.flags))]
    words += [_made("api=" + v.api_version, v.api_version + ".api.json") for v in plan.versions]
    lines.append(words + [_made("out=" + package, package + ".plan.json") for package in plan.packages])
    words = [call(ctx.executable._tool, ["--dir=" + ctx.label.package]), _WRITTEN]
    words += [_made("plan", package + ".plan.json") for package in plan.packages]
    lines.append(words + [_made("digests", v.api_version + ".digests.json") for v in plan.versions])
    return "\n  ".join([" ".join(words) for words in lines])

def _arm_lock_impl(ctx):
    plan = ctx.attr.plan[ArmPlanInfo]
    plans = plan.packages.values()
    flags = ["--dir=" + ctx.label.package] + ["--plan=" + p.short_path for p in plans]
    flags += ["--digests=" + d.short_path for d in plan.digests]
    script = _UPDATE.format(
        again = _again(ctx, plan),
        config = ctx.file.config.short_path,
        first = call(ctx.executable._tool, flags),
        lock = ctx.file.lock.short_path,
        package = ctx.label.package,
        written = _WRITTEN,
    )
    read = [
        value
        for flags in [plan.flags] + [v.flags for v in plan.versions]
        for _, value in flags
        if type(value) == "File"
    ]
    verbs = [ctx.executable._load, ctx.executable._plan]
    return command(ctx, script, plans + plan.digests + [ctx.file.config, ctx.file.lock] + read + verbs)

arm_lock = rule(
    doc = "Writes lock.bzl of the current plan when it is run with `bazel run`; " +
          "`-- --release=<alias version>` releases an alias. It does not depend on arm_check, which fails until the " +
          "file is written. It has no action, so that it costs a build nothing.",
    implementation = _arm_lock_impl,
    executable = True,
    attrs = {k: _accepted[k] for k in ("lock", "plan")} | {
        "config": attr.label(mandatory = True, allow_single_file = True, doc = "From arm_config."),
        "_load": verb("armload"),
        "_plan": verb("armplan"),
        "_tool": verb("armlock"),
    },
)
