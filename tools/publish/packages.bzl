"""The Go packages that programs are linked of."""

load("@rules_go//go:def.bzl", "GoArchive")

def _linked_packages_impl(ctx):
    packages = {}
    for program, name in ctx.attr.programs.items():
        main = program[GoArchive].data
        for archive in program[GoArchive].transitive.to_list():
            if archive != main:
                packages.setdefault(name, {})[archive.importpath] = True
    out = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(out, json.encode_indent({name: sorted(all) for name, all in packages.items()}) + "\n")
    return [DefaultInfo(files = depset([out]))]

linked_packages = rule(
    doc = "A JSON file with the import paths of the packages of each program that are no part of Go, but for its main " +
          "package. It compiles nothing.",
    implementation = _linked_packages_impl,
    attrs = {
        "programs": attr.label_keyed_string_dict(
            mandatory = True,
            providers = [GoArchive],
            doc = "The programs, each with its name. Those for several platforms have the same one.",
        ),
    },
)
