"""Graphviz, compiled."""

def _compiled_graphviz_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    args = ctx.actions.args()
    args.add(ctx.executable._compile)
    args.add_all([folder], expand_directories = False)
    ctx.actions.run_shell(
        mnemonic = "CompileGraphviz",
        tools = [ctx.executable._compile],
        arguments = [args],
        outputs = [folder],
        # Bazel gives an action its own TMPDIR.
        command = 'TMPDIR=$2 "$1"',
        progress_message = "Compiling Graphviz",
    )
    return [DefaultInfo(files = depset([folder]), runfiles = ctx.runfiles([folder]))]

compiled_graphviz = rule(
    doc = "Compiles Graphviz, as go-graphviz would do at each start; see compiled.go.",
    implementation = _compiled_graphviz_impl,
    attrs = {
        "_compile": attr.label(
            default = "//generator/cmd/armgraph/internal/compile",
            executable = True,
            cfg = "exec",
        ),
    },
)
