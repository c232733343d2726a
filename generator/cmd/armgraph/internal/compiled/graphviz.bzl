"""Graphviz, compiled."""

def _compiled_graphviz_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    ctx.actions.run(
        mnemonic = "CompileGraphviz",
        executable = ctx.executable._compile,
        outputs = [folder],
        env = {"TMPDIR": folder.path},
        progress_message = "Compiling Graphviz",
    )
    return [DefaultInfo(files = depset([folder]), runfiles = ctx.runfiles([folder]))]

compiled_graphviz = rule(
    doc = "What go-graphviz would compile at each start; see compiled.go.",
    implementation = _compiled_graphviz_impl,
    attrs = {
        "_compile": attr.label(
            default = "//generator/cmd/armgraph/internal/compile",
            executable = True,
            cfg = "exec",
        ),
    },
)
