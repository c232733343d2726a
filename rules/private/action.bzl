"""The one way in which generating actions run."""

load(":command.bzl", "ENV")

def verb(name):
    """Returns an attribute for a verb of the generator.

    Args:
      name: the verb, which is a folder of //generator/cmd.

    Returns:
      an attribute for a rule's `_tool`.
    """
    return attr.label(
        default = Label("//generator/cmd/" + name),
        executable = True,
        cfg = "exec",
    )

def path_in_package(file):
    """Returns the path of a file in its package.

    Args:
      file: of any repository. The short path of one in another than the main repository begins with `../`.

    Returns:
      the path.
    """
    path = file.short_path
    if path.startswith("../"):
        path = path.split("/", 2)[2]
    return path.removeprefix(file.owner.package + "/")

def run_verb(ctx, mnemonic, args, inputs, outputs, what):
    """Runs the rule's `_tool`.

    The arguments are always in a params file, so that there is one way to call a
    verb. Bazel maps paths, so args must hold files and never their paths.

    Args:
      ctx: the rule's context.
      mnemonic: the mnemonic of the action, such as `ArmLoad`.
      args: an Args object, one flag a line.
      inputs: the files that the verb may read.
      outputs: the files that it must write, and no others.
      what: what is generated, for the progress message.
    """
    args.use_param_file("@%s", use_always = True)
    args.set_param_file_format("multiline")
    ctx.actions.run(
        mnemonic = mnemonic,
        executable = ctx.executable._tool,
        arguments = [args],
        env = ENV,
        inputs = inputs,
        outputs = outputs,
        execution_requirements = {"supports-path-mapping": "1"},
        progress_message = "%s %s of %s" % (mnemonic, what, ctx.label.package),
    )
