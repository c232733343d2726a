"""How every generating action runs."""

def verb(name):
    """The attribute that holds a verb of the generator.

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

def run_verb(ctx, mnemonic, args, inputs, outputs, what):
    """Runs the rule's `_tool`.

    The arguments go through a params file always, so that a verb has one way
    to be called. Paths are mapped: args must hold files, never their paths.

    Args:
      ctx: the rule's context.
      mnemonic: the action's, such as `ArmLoad`.
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
        inputs = inputs,
        outputs = outputs,
        execution_requirements = {"supports-path-mapping": "1"},
        progress_message = "%s %s of %s" % (mnemonic, what, ctx.label.package),
    )
