"""The Go packages that programs are linked of."""

load("@rules_go//go:def.bzl", "GoArchive")
load("//rules/private:linked.bzl", "linked")

def _linked_packages_impl(ctx):
    archives = {}
    for program, name in ctx.attr.programs.items():
        archives.setdefault(name, []).append(program[GoArchive])
    out = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(out, json.encode_indent({name: linked(all) for name, all in archives.items()}) + "\n")
    return [DefaultInfo(files = depset([out]))]

linked_packages = rule(
    doc = "A JSON file with the import paths of the packages of each program that are no part of Go. It compiles nothing.",
    implementation = _linked_packages_impl,
    attrs = {
        "programs": attr.label_keyed_string_dict(
            mandatory = True,
            providers = [GoArchive],
            doc = "The programs, each with its name. Those for several platforms have the same one.",
        ),
    },
)
