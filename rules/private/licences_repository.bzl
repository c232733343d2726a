"""The licences of the Go modules that programs are linked of."""

_BUILD = """exports_files(["licences.json"], visibility = ["//visibility:public"])
"""

# How names of files begin that have a licence, or what it says to pass on.
_NAMES = ["LICENSE", "LICENCE", "UNLICENSE", "COPYING", "NOTICE", "COPYRIGHT", "PATENTS"]

def _is_licence(name):
    return not name.endswith(".go") and any([name.upper().startswith(start) for start in _NAMES])

def _licences_in(rctx, folder):
    """Returns the text of each licence file in a folder and below it, by its path there."""
    found = {}
    todo = [(folder, "")]
    for _ in range(1000000):  # Starlark has no while.
        if not todo:
            break
        path, prefix = todo.pop()
        for entry in path.readdir(watch = "no"):
            name = prefix + entry.basename
            if entry.is_dir:
                if entry.basename != "testdata":
                    todo.append((entry, name + "/"))
            elif _is_licence(entry.basename):
                found[name] = rctx.read(entry, watch = "no")
    return found

def _go(rctx, *arguments):
    result = rctx.execute(["go"] + list(arguments), timeout = 1800, environment = {
        "GOFLAGS": "-mod=readonly",
        "GOWORK": "off",
    })
    if result.return_code:
        fail("the licences of the Go modules cannot be had: `go %s` failed:\n%s" % (" ".join(arguments), result.stderr))
    return result.stdout

def _licences_repository_impl(rctx):
    # go checks the modules against go.sum. It takes them from the user's module cache, or else from GOPROXY.
    rctx.file("go.mod", rctx.read(rctx.attr.go_mod))
    rctx.file("go.sum", rctx.read(rctx.attr.go_sum))
    licences = {
        "github.com/armature-dev/armature": {
            "LICENSE": rctx.read(Label("//:LICENSE")),
            "NOTICE": rctx.read(Label("//:NOTICE")),
        },
        # As scanners call what Go itself adds to programs.
        "stdlib": {
            entry.basename: rctx.read(entry, watch = "no")
            for entry in rctx.path(_go(rctx, "env", "GOROOT").strip()).readdir(watch = "no")
            if not entry.is_dir and _is_licence(entry.basename)
        },
    }

    # One object of JSON after the other.
    for text in _go(rctx, "mod", "download", "-json").strip().split("\n}\n"):
        module = json.decode(text.removesuffix("}") + "}")
        licences[module["Path"]] = _licences_in(rctx, rctx.path(module["Dir"]))
    rctx.file("licences.json", json.encode_indent(licences, indent = "  ") + "\n", legacy_utf8 = False)
    rctx.file("BUILD.bazel", _BUILD)

licences_repository = repository_rule(
    doc = "Has licences.json: for each Go module of a go.mod, for Go and for Armature the licence files, with their text.",
    implementation = _licences_repository_impl,
    attrs = {
        "go_mod": attr.label(mandatory = True, doc = "The go.mod with the versions of the modules."),
        "go_sum": attr.label(mandatory = True, doc = "Its go.sum."),
    },
)

def _licences_impl(mctx):
    for module in mctx.modules:
        for tag in module.tags.modules:
            licences_repository(name = module.name + "_licences", go_mod = tag.go_mod, go_sum = tag.go_sum)
    return mctx.extension_metadata(reproducible = True)

licences = module_extension(
    doc = "Makes a repository `<module>_licences` for each module: the licences of the Go modules that it names.",
    implementation = _licences_impl,
    tag_classes = {"modules": tag_class(
        doc = "Names the Go modules. There is one such tag in a MODULE.bazel.",
        attrs = {
            "go_mod": attr.label(mandatory = True, doc = "The go.mod with the versions of the modules."),
            "go_sum": attr.label(mandatory = True, doc = "Its go.sum."),
        },
    )},
)
