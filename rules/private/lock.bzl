"""Rules that compare the plan with the lock file that a person accepted, and that write a new lock file."""

load(":action.bzl", "run_verb", "verb")
load(":command.bzl", "BAZEL", "call", "command")
load(":providers.bzl", "ArmPlanInfo")

def _arm_check_impl(ctx):
    plans = ctx.attr.plan[ArmPlanInfo].packages.values()
    stamp = ctx.actions.declare_file(ctx.label.name + ".ok")
    args = ctx.actions.args()
    args.add(ctx.label.package, format = "--dir=%s")
    args.add(ctx.file.lock, format = "--lock=%s")
    args.add_all(ctx.files.baseline, format_each = "--baseline=%s")
    args.add(ctx.file.config, format = "--config=%s")
    args.add_all(plans, format_each = "--plan=%s")
    digests = ctx.attr.plan[ArmPlanInfo].digests
    args.add_all(digests, format_each = "--digests=%s")
    places = ctx.attr.hooks[OutputGroupInfo].places.to_list() if ctx.attr.hooks else []
    args.add_all(places, format_each = "--places=%s")
    args.add(stamp, format = "--stamp=%s")
    inputs = plans + digests + [ctx.file.lock, ctx.file.config] + ctx.files.baseline + places
    run_verb(ctx, "ArmCheck", args, inputs, [stamp], "hubs and removals")
    return [DefaultInfo(files = depset([stamp]))]

_accepted = {
    "baseline": attr.label(
        allow_single_file = True,
        doc = "The list of property changes that nobody has assessed yet.",
    ),
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
# Overwrites the files in the source tree with those of the current plan. Runs again
# if the plan changes with them.
# --release=<alias version> releases an alias; a plan cannot say that.
set -eu
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
{call} "--out=$made/lock.bzl" "--baseline-out=$made/baseline.txt" "$@"
names() {{ sed -n '/^    "names": /,$p' "$1"; }}
before=$(names "$BUILD_WORKSPACE_DIRECTORY/{package}/lock.bzl")
for name in lock.bzl baseline.txt; do
  cp -f "$made/$name" "$BUILD_WORKSPACE_DIRECTORY/{package}/$name"
  chmod 644 "$BUILD_WORKSPACE_DIRECTORY/{package}/$name"
done
echo "wrote {package}/lock.bzl and baseline.txt"
# The specs are read with the names that the lock keeps. If they changed, so may others, and what is not assessed.
if [ "$before" != "$(names "$made/lock.bzl")" ]; then
  cd "$BUILD_WORKSPACE_DIRECTORY"
  if command -v {bazel} >/dev/null; then
    echo "names changed: reading the specs with them"
    exec {bazel} run //{package}:lock.update
  fi
  echo "names changed: run this once more, so that the specs are read with them" >&2
  exit 1
fi
"""

def _arm_lock_impl(ctx):
    plans = ctx.attr.plan[ArmPlanInfo].packages.values()
    flags = ["--dir=" + ctx.label.package, "--lock=" + ctx.file.lock.short_path]
    flags += ["--plan=" + p.short_path for p in plans]
    digests = ctx.attr.plan[ArmPlanInfo].digests
    flags += ["--digests=" + d.short_path for d in digests]
    script = _UPDATE.format(bazel = BAZEL, call = call(ctx, flags), package = ctx.label.package)
    return command(ctx, script, plans + digests + [ctx.file.lock])

arm_lock = rule(
    doc = "Writes lock.bzl and baseline.txt of the current plan when it is run with `bazel run`; " +
          "`-- --release=<alias version>` releases an alias. It does not depend on arm_check, which fails until the " +
          "files are written. It has no action, so that it costs a build nothing.",
    implementation = _arm_lock_impl,
    executable = True,
    attrs = {k: _accepted[k] for k in ("lock", "plan")} | {"_tool": verb("armlock")},
)
