"""Targets that a person runs with `bazel run`."""

# Whether this module is the main repository.
INSIDE = Label("//rules").repo_name == ""

# The command with which a person runs Bazel, for messages.
BAZEL = "./bazelw" if INSIDE else "bazel"

# The environment in which programs find that command where it is not that of this repository.
ENV = {} if INSIDE else {"ARMATURE_BAZEL": BAZEL}

def run_message(label):
    """Returns the command that runs a target of this module.

    Args:
      label: such as `//tools/specs`.

    Returns:
      the command, as a person in the main repository types it.
    """
    return "%s run %s%s" % (BAZEL, "" if INSIDE else "@armature", label)

def update_message(package):
    """Returns the command that writes the files with the facts of a group.

    Args:
      package: the group's folder.

    Returns:
      the command, as a person types it.
    """
    folder, _, name = package.rpartition("/")
    return "%s -- %s --update --stable=0%s" % (run_message("//tools/add"), name, "" if folder == "apis" else " --folder=" + folder)

def call(tool, flags):
    """Returns a line of shell that calls a verb.

    The line works in the root of the runfiles, in which `bazel run` starts a target.

    Args:
      tool: the verb's executable.
      flags: its flags, which name files by their short_path.

    Returns:
      the line, to which further flags may be added.
    """
    words = ["%s=%s" % pair for pair in ENV.items()]
    return " \\\n  ".join(words + ["'%s'" % word for word in [tool.short_path] + flags])

def short(flags):
    """Returns the flags of an action as a command has them.

    Args:
      flags: pairs of a format such as `--config=%s` and a file or a string.

    Returns:
      a list of strings, which name files by their short_path.
    """
    return [format % (value.short_path if type(value) == "File" else value) for format, value in flags]

def command(ctx, script, files):
    """Returns the providers of a rule whose target is a command.

    Args:
      ctx: the rule's context.
      script: the shell script.
      files: the files that it reads and the verbs that it calls, beside the rule's `_tool`.

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
