"""Generated Go packages, and the runtime, as Go modules for users of the go command alone."""

load("@rules_go//go:def.bzl", "GoArchive", "GoInfo")
load(":action.bzl", "run_verb", "verb")
load(":command.bzl", "call", "command")
load(":providers.bzl", "ArmGoInfo")

def _file(importpath, file):
    return struct(file = file, name = importpath + "/" + file.basename)

def _arm_go_files_impl(ctx):
    files = []
    for library in ctx.attr.libraries:
        files += [_file(library[GoInfo].importpath, f) for f in library[GoInfo].srcs]
    for target, folder in ctx.attr.tests.items():
        files += [_file(ctx.attr.import_prefix + folder, f) for f in target[DefaultInfo].files.to_list()]
    archives = [target[GoArchive].transitive for target in ctx.attr.libraries + [ctx.attr._laws]]
    return [ArmGoInfo(
        files = files,
        importpath = ctx.attr.import_prefix.removesuffix("/"),
        packages = depset(transitive = archives),
    )]

arm_go_files = rule(
    doc = "Says which files a Go module of a group has.",
    implementation = _arm_go_files_impl,
    attrs = {
        "import_prefix": attr.string(mandatory = True, doc = "The text before a package's name in its import path."),
        "libraries": attr.label_list(mandatory = True, providers = [GoInfo], doc = "The packages."),
        "tests": attr.label_keyed_string_dict(
            doc = "The sources of tests and their data, with the folders that have them, below that of the group.",
        ),
        "_laws": attr.label(default = Label("//runtime/laws"), providers = [GoArchive]),
    },
)

_VERSIONS = {
    "_go_mod": attr.label(allow_single_file = True, default = Label("//:go.mod")),
    "_go_sum": attr.label(allow_single_file = True, default = Label("//:go.sum")),
}

def _need(package):
    return "--need=" + package.importpath

def _arm_go_module_impl(ctx):
    module = ctx.attr.module
    groups = [group[ArmGoInfo] for group in ctx.attr.groups]
    outside = [g.importpath for g in groups if not (g.importpath + "/").startswith(module + "/")]
    if outside:
        fail("\n%s: packages keep their import paths, which are not below module = \"%s\" for these groups:\n  %s\n" % (
            ctx.label,
            module,
            "\n  ".join(outside),
        ) + "Expected a module path that all import paths begin with, or other groups.")
    files = [f for g in groups for f in g.files]
    params = ctx.actions.declare_file(ctx.label.name + ".params")
    args = ctx.actions.args()
    args.set_param_file_format("multiline")
    args.add_all(["--file=%s=%s" % (f.name, f.file.short_path) for f in files])
    args.add_all(depset(transitive = [g.packages for g in groups]), map_each = _need)
    ctx.actions.write(params, args)
    script = "#!/bin/sh\n# Writes the Go module to the folder --to.\n%s \"$@\"\n" % call(ctx.executable._tool, [
        "@" + params.short_path,
        "--module=" + module,
        "--go-mod=" + ctx.file._go_mod.short_path,
        "--go-sum=" + ctx.file._go_sum.short_path,
        "--runtime=" + ctx.file._runtime.short_path,
    ])
    return command(ctx, script, [params, ctx.file._go_mod, ctx.file._go_sum, ctx.file._runtime] + [f.file for f in files])

_arm_go_module = rule(
    doc = "Writes a Go module when it is run.",
    implementation = _arm_go_module_impl,
    executable = True,
    attrs = _VERSIONS | {
        "groups": attr.label_list(mandatory = True, providers = [ArmGoInfo], doc = "The targets `go` of the groups."),
        "module": attr.string(mandatory = True, doc = "The module path."),
        "_runtime": attr.label(allow_single_file = True, default = Label("//runtime:module")),
        "_tool": verb("armexport"),
    },
)

def arm_go_module(name, module, groups, visibility = None):
    """Declares a command that writes a Go module of generated packages, for builds without Bazel.

    `bazel run <target> -- --to DIR` makes DIR have the packages at the import
    paths that they have here, their tests with data, go.mod, go.sum and a README.
    The same packages give the same bytes, and what is gone is removed. A folder
    that it did not write, or whose files were edited, is refused.

    Args:
      name: of the command.
      module: the module path. The import paths of all groups are below it.
      groups: the packages of service groups, such as `//apis/cache`.
      visibility: of the command.
    """
    _arm_go_module(
        name = name,
        groups = [native.package_relative_label(group).same_package_label("go") for group in groups],
        module = module,
        # As for a group's commands: only who runs it waits for it.
        tags = ["manual"],
        visibility = visibility,
    )

def _arm_runtime_module_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name)
    packages = depset(transitive = [d[GoArchive].transitive for d in ctx.attr.deps])
    own = [p for p in packages.to_list() if p.importpath.startswith(ctx.attr.module + "/")]
    args = ctx.actions.args()
    args.add(ctx.attr.module, format = "--module=%s")
    args.add(ctx.attr.version, format = "--version=v%s")
    args.add(ctx.file._go_mod, format = "--go-mod=%s")
    args.add(ctx.file._go_sum, format = "--go-sum=%s")
    inputs = [ctx.file._go_mod, ctx.file._go_sum] + ctx.files._licence
    for file in ctx.files._licence:
        args.add(file, format = "--file=%s/%s=%%s" % (ctx.attr.module, file.basename))
    for p in own:
        for file in p.srcs:
            args.add(file, format = "--file=%s/%s=%%s" % (p.importpath, file.basename))
            inputs.append(file)
    args.add_all(packages, map_each = _need)
    args.add_all([out], format_each = "--out=%s", expand_directories = False)
    run_verb(ctx, "ArmGoProxy", args, inputs, [out], "the runtime")
    return [DefaultInfo(files = depset([out]))]

arm_runtime_module = rule(
    doc = "The runtime as a Go module of its own, in the tree from which a Go proxy serves it.",
    implementation = _arm_runtime_module_impl,
    attrs = _VERSIONS | {
        "deps": attr.label_list(
            mandatory = True,
            providers = [GoArchive],
            doc = "Packages of the module. What they import of it is part of it, too.",
        ),
        "module": attr.string(mandatory = True, doc = "The module path."),
        "version": attr.string(mandatory = True, doc = "The version, without v."),
        "_licence": attr.label_list(allow_files = True, default = [Label("//:LICENSE"), Label("//:NOTICE")]),
        "_tool": verb("armgoproxy"),
    },
)
