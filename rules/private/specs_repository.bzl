"""The published specs, if this machine has a checkout of them.

ARMATURE_SPECS names a folder with `azure-rest-api-specs/`, `bicep-types-az/` and `arm-json-schema/`.
A repository rule reads the variable, because an extension would write the path
on this machine into MODULE.bazel.lock.
"""

load(":closure.bzl", "closures")
load(":command.bzl", "run_message")

_UNSET = """# ARMATURE_SPECS is not set: there are no published specs.
CLOSURES = None
"""

_SPECS = """load(":closures.bzl", "CLOSURES")

# For the attribute specs of arm_service_group: whether there is a checkout, the closures of its documents, and the
# label of each file.
SPECS = struct(
    present = CLOSURES != None,
    closures = CLOSURES or {},
    label = lambda name: Label("//:" + name),
)
"""

_BUILD = """# The documents are inputs of ArmLoad.
exports_files({exports})

# For tests on real payloads: the examples, and the documents that refer to them.
filegroup(
    name = "examples",
    srcs = {examples},
    visibility = ["//visibility:public"],
)
"""

def _build_file(documents, examples):
    """Returns the BUILD file, which exports the documents and the examples."""
    swagger = [d for d in documents if d.startswith("azure-rest-api-specs/")]
    return _BUILD.format(
        exports = json.encode_indent(["closures.bzl", "specs.bzl"] + documents, indent = "  "),
        examples = json.encode_indent(swagger + examples, indent = "  "),
    )

def _json_files(rctx, root, folder):
    """Returns the names of all JSON files below root/folder: the documents, and the examples."""
    found = []
    todo = [(root.get_child(folder), folder)]

    # Watched before it is read: when it is gone, Bazel must notice that first, and not fail to read it.
    rctx.watch(todo[0][0])
    if not todo[0][0].exists:
        return [], []
    for _ in range(1000000):  # Starlark has no while.
        if not todo:
            break
        path, name = todo.pop()
        for entry in path.readdir():
            entry_name = name + "/" + entry.basename
            if entry.is_dir:
                todo.append((entry, entry_name))
            elif entry.basename.endswith(".json"):
                found.append(entry_name)
    found = sorted(found)
    return [f for f in found if "/examples/" not in f], [f for f in found if "/examples/" in f]

def _specs_repository_impl(rctx):
    checkout = rctx.getenv("ARMATURE_SPECS")
    rctx.file("specs.bzl", _SPECS)
    if not checkout:
        rctx.file("closures.bzl", _UNSET)
        rctx.file("BUILD.bazel", _build_file([], []))
        return
    root = rctx.path(checkout)
    if not checkout.startswith("/"):
        fail("ARMATURE_SPECS is %r: expected an absolute path, as the build runs in another folder than you" % checkout)
    if checkout.startswith("/tmp/"):
        fail(("ARMATURE_SPECS is %r: the sandbox hides /tmp from actions; " +
              "move the checkout elsewhere, such as your home") % checkout)
    documents, examples = [], []
    for service in rctx.attr.services:
        found = _json_files(rctx, root, "azure-rest-api-specs/specification/" + service)
        documents.extend(found[0])
        examples.extend(found[1])
    documents.extend(_json_files(rctx, root, "arm-json-schema/schemas")[0])
    types = _json_files(rctx, root, "bicep-types-az/generated")[0]
    if not documents and not types:
        fail(("ARMATURE_SPECS is %r, which has none of azure-rest-api-specs/specification, " +
              "bicep-types-az/generated and arm-json-schema/schemas: name a folder that holds the checkouts; " +
              "`%s` makes one") % (checkout, run_message("//tools/specs")))
    for folder in ["azure-rest-api-specs", "arm-json-schema", "bicep-types-az"]:
        if root.get_child(folder).exists:
            rctx.symlink(root.get_child(folder), folder)
    found = closures(documents, lambda name: rctx.read(root.get_child(name), watch = "yes"))

    # Bicep types refer to no other files, so nothing needs to read them here.
    found.update({name: [name] for name in types})
    rctx.file("closures.bzl", "\n".join([
        "# The files that each document refers to. The first is the document itself.",
        "CLOSURES = " + json.encode_indent(found, indent = "  "),
        "",
    ]))
    rctx.file("BUILD.bazel", _build_file(documents + types, examples))

specs_repository = repository_rule(
    doc = "Links a checkout of the published specs, and lists the closure of every document.",
    implementation = _specs_repository_impl,
    environ = ["ARMATURE_SPECS"],
    # Evaluated again by every Bazel server. Otherwise Bazel would ask for the listing of each folder that the
    # last evaluation found, and fail where one of them is gone.
    local = True,
    attrs = {
        "services": attr.string_list(doc = "The folders of azure-rest-api-specs/specification that the build may use."),
    },
)

def _groups_repository_impl(rctx):
    chosen = rctx.getenv("ARMATURE_GROUPS")
    groups = [name.strip() for name in chosen.split(",") if name.strip()] if chosen else None
    rctx.file("BUILD.bazel", "")
    rctx.file("groups.bzl", "CHOSEN = %r\n" % (groups,))

groups_repository = repository_rule(
    doc = "Has the names in ARMATURE_GROUPS, of the groups that programs and releases of all groups are to have.",
    implementation = _groups_repository_impl,
    environ = ["ARMATURE_GROUPS"],
)

def _specs_impl(mctx):
    for module in mctx.modules:
        services = []
        for tag in module.tags.checkout:
            services.extend(tag.services)
        if not module.tags.checkout:
            continue
        if not module.name:
            fail("MODULE.bazel has specs.checkout, and no name for the module, after which the specs are called: " +
                 "begin it with module(name = \"shop\")")
        specs_repository(name = module.name + "_specs", services = services)
    groups_repository(name = "armature_groups")
    return mctx.extension_metadata(reproducible = True)

specs = module_extension(
    doc = "Makes a repository `<module>_specs` for each module: the published specs of ARMATURE_SPECS; " +
          "and `armature_groups`, the names in ARMATURE_GROUPS.",
    implementation = _specs_impl,
    tag_classes = {"checkout": tag_class(
        doc = "Selects services of the checkout. The groups of other modules do not see them.",
        attrs = {"services": attr.string_list(
            mandatory = True,
            doc = "Folders of azure-rest-api-specs/specification.",
        )},
    )},
)
