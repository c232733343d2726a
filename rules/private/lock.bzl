"""Compares the plan with what a person accepted, and accepts a new one."""

load(":action.bzl", "run_verb", "verb")
load(":command.bzl", "call", "command")
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
    places = ctx.attr.hooks[OutputGroupInfo].places.to_list() if ctx.attr.hooks else []
    args.add_all(places, format_each = "--places=%s")
    args.add(stamp, format = "--stamp=%s")
    run_verb(ctx, "ArmCheck", args, plans + [ctx.file.lock, ctx.file.config] + ctx.files.baseline + places, [stamp], "hubs and removals")
    return [
        DefaultInfo(),
        OutputGroupInfo(_validation = depset([stamp])),
    ]

_accepted = {
    "baseline": attr.label(allow_single_file = True, doc = "The list of property changes that nobody has assessed yet."),
    "config": attr.label(mandatory = True, allow_single_file = [".yaml"], doc = "The group.yaml."),
    "lock": attr.label(mandatory = True, allow_single_file = [".bzl"], doc = "The hub lock."),
    "plan": attr.label(mandatory = True, providers = [ArmPlanInfo], doc = "The group's arm_plan."),
}

arm_check = rule(
    doc = "Fails the build when a hub changes, or a property's removal was never assessed, without a person's consent.",
    implementation = _arm_check_impl,
    attrs = _accepted | {
        "hooks": attr.label(doc = "The group's arm_hooks, if it has hand-written files: those that nothing calls are errors."),
        "_tool": verb("armcheck"),
    },
)

_UPDATE = """#!/bin/sh
# Writes what the plan says now over what is checked in. With --release=<alias
# version> an alias is released, which no plan can say.
set -eu
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
{call} "--out=$made/lock.bzl" "--baseline-out=$made/baseline.txt" "$@"
for name in lock.bzl baseline.txt; do
  cp -f "$made/$name" "$BUILD_WORKSPACE_DIRECTORY/{package}/$name"
  chmod 644 "$BUILD_WORKSPACE_DIRECTORY/{package}/$name"
done
echo "wrote {package}/lock.bzl and baseline.txt"
"""

def _arm_lock_impl(ctx):
    plans = ctx.attr.plan[ArmPlanInfo].packages.values()
    flags = ["--dir=" + ctx.label.package, "--lock=" + ctx.file.lock.short_path] + ["--plan=" + p.short_path for p in plans]
    return command(ctx, _UPDATE.format(call = call(ctx, flags), package = ctx.label.package), plans + [ctx.file.lock])

arm_lock = rule(
    doc = "`bazel run` of it writes lock.bzl and baseline.txt as the plan has them now; `-- --release=<alias version>` releases an alias. It does not depend on arm_check, which fails while they differ, and has no action: nobody waits for it but who runs it.",
    implementation = _arm_lock_impl,
    executable = True,
    attrs = {k: _accepted[k] for k in ("lock", "plan")} | {"_tool": verb("armlock")},
)
