"""The published specs, if this machine has a checkout of them.

ARMATURE_SPECS names a folder with `azure-rest-api-specs/` and `arm-json-schema/`.
A repository rule reads the variable, because an extension would write this
machine's path into MODULE.bazel.lock.
"""

load(":closure.bzl", "closures")

_UNSET = """# ARMATURE_SPECS is not set: there are no published specs.
CLOSURES = None
"""

def _documents(folder, prefix):
    """All JSON files below a folder, examples left out, as names from prefix on."""
    found = []
    todo = [(folder, prefix)]
    for _ in range(1000000):  # Starlark has no while.
        if not todo:
            break
        path, name = todo.pop()
        for entry in path.readdir():
            entry_name = name + "/" + entry.basename
            if entry.is_dir:
                if entry.basename != "examples":
                    todo.append((entry, entry_name))
            elif entry.basename.endswith(".json"):
                found.append(entry_name)
    return sorted(found)

def _specs_repository_impl(rctx):
    checkout = rctx.getenv("ARMATURE_SPECS")
    if not checkout:
        rctx.file("closures.bzl", _UNSET)
        rctx.file("BUILD.bazel")
        return
    root = rctx.path(checkout)
    if not checkout.startswith("/"):
        fail("ARMATURE_SPECS is %r: expected an absolute path, as the build runs in another folder than you" % checkout)
    if checkout.startswith("/tmp/"):
        fail("ARMATURE_SPECS is %r: the sandbox hides /tmp from actions; move the checkout elsewhere, such as your home" % checkout)
    documents = []
    for service in rctx.attr.services:
        prefix = "azure-rest-api-specs/specification/" + service
        if root.get_child(prefix).exists:
            documents.extend(_documents(root.get_child(prefix), prefix))
    prefix = "arm-json-schema/schemas"
    if root.get_child(prefix).exists:
        documents.extend(_documents(root.get_child(prefix), prefix))
    if not documents:
        fail("ARMATURE_SPECS is %r, which has neither azure-rest-api-specs/specification nor arm-json-schema/schemas: name a folder that holds the checkouts; `bazel run //tools/specs` makes one" % checkout)
    for folder in ["azure-rest-api-specs", "arm-json-schema"]:
        if root.get_child(folder).exists:
            rctx.symlink(root.get_child(folder), folder)
    found = closures(documents, lambda name: rctx.read(root.get_child(name), watch = "yes"))
    rctx.file("closures.bzl", "\n".join([
        "# Which files each document refers to, itself first.",
        "CLOSURES = " + json.encode_indent(found, indent = "  "),
        "",
    ]))
    rctx.file("BUILD.bazel", "exports_files(%s)\n" % json.encode_indent(documents, indent = "  "))

specs_repository = repository_rule(
    doc = "Links a checkout of the published specs, and lists the closure of every document.",
    implementation = _specs_repository_impl,
    environ = ["ARMATURE_SPECS"],
    attrs = {
        "services": attr.string_list(doc = "The folders of azure-rest-api-specs/specification to look into."),
    },
)

def _specs_impl(mctx):
    services = []
    for module in mctx.modules:
        for tag in module.tags.checkout:
            services.extend(tag.services)
    specs_repository(name = "arm_specs", services = services)
    return mctx.extension_metadata(reproducible = True)

specs = module_extension(
    doc = "Makes @arm_specs, the published specs of ARMATURE_SPECS.",
    implementation = _specs_impl,
    tag_classes = {"checkout": tag_class(
        doc = "What to take from the checkout.",
        attrs = {"services": attr.string_list(mandatory = True, doc = "Folders of azure-rest-api-specs/specification.")},
    )},
)
