"""Prints the properties and types that probably have another name in a later version."""

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
    return command(ctx, _PRINT.format(call = call(ctx.executable._tool, flags)), plans + irs + [ctx.file.config])

arm_renames = rule(
    doc = "A command that prints the changes that nobody has assessed, with guesses of renames. `-- --all` prints " +
          "the assessed changes too. It has no action, so no build waits for it.",
    implementation = _arm_renames_impl,
    executable = True,
    attrs = {
        "config": attr.label(
            mandatory = True,
            allow_single_file = [".yaml"],
            doc = "The group.yaml, which has the reasons of assessed changes.",
        ),
        "plan": attr.label(mandatory = True, providers = [ArmPlanInfo], doc = "The group's arm_plan."),
        "versions": attr.label_list(
            mandatory = True,
            providers = [ArmVersionInfo],
            doc = "All API versions, for their docs.",
        ),
        "_tool": verb("armrenames"),
    },
)
