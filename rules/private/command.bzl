"""Targets that a person runs with `bazel run`."""

def call(ctx, flags):
    """Returns a line of shell that calls the rule's `_tool`.

    The line works in the root of the runfiles, in which `bazel run` starts a target.

    Args:
      ctx: the rule's context.
      flags: the verb's flags, which name files by their short_path.

    Returns:
      the line, to which further flags may be added.
    """
    return " \\\n  ".join(["'%s'" % word for word in [ctx.executable._tool.short_path] + flags])

def command(ctx, script, files):
    """Returns the providers of a rule whose target is a command.

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
