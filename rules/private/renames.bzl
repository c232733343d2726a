"""Prints which properties and types have likely another name in a later version."""

load(":action.bzl", "verb")
load(":command.bzl", "call", "command")
load(":providers.bzl", "ArmPlanInfo", "ArmVersionInfo")

_PRINT = """#!/bin/sh
# Prints likely renames, for a person to assess.
set -eu
{call} "$@"
"""

def _arm_renames_impl(ctx):
    plans = ctx.attr.plan[ArmPlanInfo].packages.values()
    irs = [v[ArmVersionInfo].ir for v in ctx.attr.versions]
    flags = ["--dir=" + ctx.label.package, "--config=" + ctx.file.config.short_path]
    flags += ["--plan=" + p.short_path for p in plans] + ["--ir=" + v.short_path for v in irs]
    return command(ctx, _PRINT.format(call = call(ctx, flags)), plans + irs + [ctx.file.config])

arm_renames = rule(
    doc = "`bazel run` of it prints what nobody has assessed, and what may have become of it; `-- --all` what somebody has, too. It has no action: nobody waits for it but who runs it.",
    implementation = _arm_renames_impl,
    executable = True,
    attrs = {
        "config": attr.label(mandatory = True, allow_single_file = [".yaml"], doc = "The group.yaml: the reasons of what was assessed."),
        "plan": attr.label(mandatory = True, providers = [ArmPlanInfo], doc = "The group's arm_plan."),
        "versions": attr.label_list(mandatory = True, providers = [ArmVersionInfo], doc = "All API versions, for their docs."),
        "_tool": verb("armrenames"),
    },
)
