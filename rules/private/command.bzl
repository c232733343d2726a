"""Verbs that a person runs, as `bazel run` of a target."""

def call(ctx, flags):
    """A line of shell that calls the rule's `_tool` in the folder where `bazel run` starts, the root of the runfiles.

    Args:
      ctx: the rule's context.
      flags: the verb's flags, which name files by their short_path.

    Returns:
      the line, to which further flags may be added.
    """
    return " \\\n  ".join(["'%s'" % word for word in [ctx.executable._tool.short_path] + flags])

def command(ctx, script, files):
    """What a rule returns whose target is a command.

    Args:
      ctx: the rule's context.
      script: the shell script.
      files: the files that it reads, beside the rule's `_tool`.

    Returns:
      a list of providers.
    """
    executable = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(executable, script, is_executable = True)
    return [DefaultInfo(
        executable = executable,
        files = depset([executable]),
        runfiles = ctx.runfiles(files).merge(ctx.attr._tool[DefaultInfo].default_runfiles),
    )]
