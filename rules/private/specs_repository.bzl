"""The published specs, if this machine has a checkout of them.

ARMATURE_SPECS names a folder with `azure-rest-api-specs/`, `bicep-types-az/` and `arm-json-schema/`, or is `none`.
A repository rule reads the variable, because an extension would write the path
on this machine into MODULE.bazel.lock.
"""

load(":command.bzl", "run_message")

_SPECS = """load(":files.bzl", "FILES")

# For the attribute specs of arm_service_group: the names of the documents, or None if there is no checkout, and the
# label of each.
SPECS = struct(
    files = {name: None for name in FILES} if FILES != None else None,
    label = lambda name: Label("//:" + name),
)
"""

_BUILD = """# The documents are inputs of ArmLoad.
exports_files(["files.bzl", "specs.bzl"] + glob({folders}, exclude = ["**/examples/**"], allow_empty = True))

# For tests on real payloads: the examples, and the documents that refer to them.
filegroup(
    name = "examples",
    srcs = glob({swagger}, allow_empty = True),
    visibility = ["//visibility:public"],
)
"""

# The folders with documents of each checkout.
_SWAGGER = "azure-rest-api-specs/specification"
_SCHEMAS = "arm-json-schema/schemas"
_TYPES = "bicep-types-az/generated"

def _documents(rctx, root, folder):
    """Returns the names of the JSON files below root/folder, without examples."""
    found = []
    todo = [(root.get_child(folder), folder)]

    # Watched before it is read: when it is gone, Bazel must notice that first, and not fail to read it.
    rctx.watch(todo[0][0])
    for _ in range(1000000):  # Starlark has no while.
        if not todo:
            break
        path, name = todo.pop()
        if not path.exists or name.endswith("/examples"):
            continue
        for entry in path.readdir():
            entry_name = name + "/" + entry.basename
            if entry.is_dir:
                todo.append((entry, entry_name))
            elif entry.basename.endswith(".json"):
                found.append(entry_name)
    return sorted(found)

def _checkout(rctx):
    """Returns the folder with the checkouts, or None if there is none.

    ARMATURE_SPECS names it. The default is where //tools/specs makes one.
    """
    named = rctx.getenv("ARMATURE_SPECS")
    if named == "none":
        return None
    if not named:
        own = "/Library/Caches" if rctx.os.name.startswith("mac") else "/.cache"
        cache = rctx.getenv("XDG_CACHE_HOME") or rctx.getenv("HOME", "") + own
        default = rctx.path(cache + "/armature/specs") if cache.startswith("/") else None
        return default if default and default.exists else None
    if not named.startswith("/"):
        fail(("ARMATURE_SPECS is %r: expected \"none\", or an absolute path, as the build runs in another folder " +
              "than you") % named)
    if named.startswith("/tmp/"):
        fail(("ARMATURE_SPECS is %r: the sandbox hides /tmp from actions; " +
              "move the checkout elsewhere, such as your home") % named)
    return rctx.path(named)

def _refuse_other_pins(rctx, root):
    """Fails if //tools/specs made a checkout for other pins than those of this module, or has not completed it.

    It writes the digests of what it fetched beside each checkout. One that somebody else made has no such file, and is
    taken as it is.
    """
    for folder in [_SWAGGER, _TYPES, _SCHEMAS]:
        checkout = folder.partition("/")[0]
        stamp = root.get_child(checkout + ".done")
        rctx.watch(stamp)
        if not stamp.exists:
            continue
        fetched = {line: None for line in rctx.read(stamp).splitlines()}
        pins = rctx.read(Label("//tools/specs:%s.sha256" % checkout)).splitlines()
        others = [line.partition("  ")[2] for line in pins if line not in fetched]
        if others:
            own = "" if not rctx.getenv("ARMATURE_SPECS") else " -- --dir %s" % root
            fail(("%s is of other pins than those of this repository, or incomplete: of %s it lacks the pinned content of " +
                  "%d files, such as %s; fetch it with: %s%s; or build from the facts alone, with ARMATURE_SPECS=none") %
                 (root, checkout, len(others), others[0], run_message("//tools/specs"), own))

def _specs_repository_impl(rctx):
    root = _checkout(rctx)
    if root:
        _refuse_other_pins(rctx, root)
    folders = [_SWAGGER + "/" + service for service in rctx.attr.services]
    documents = None
    if root:
        documents = [d for folder in folders + [_SCHEMAS, _TYPES] for d in _documents(rctx, root, folder)]
        if not documents:
            fail(("%s, which ARMATURE_SPECS names or which is its default, has none of %s, %s and %s: name a folder " +
                  "that holds the checkouts; `%s` makes one") %
                 (root, _SWAGGER, _TYPES, _SCHEMAS, run_message("//tools/specs")))
        for folder in [_SWAGGER, _TYPES, _SCHEMAS]:
            folder = folder.partition("/")[0]
            if root.get_child(folder).exists:
                rctx.symlink(root.get_child(folder), folder)
    rctx.file("specs.bzl", _SPECS)
    rctx.file("files.bzl", "FILES = %s\n" % (json.encode_indent(documents, indent = "  ") if documents else None))
    rctx.file("BUILD.bazel", _BUILD.format(
        folders = [f + "/**/*.json" for f in folders + [_SCHEMAS, _TYPES]],
        swagger = [f + "/**/*.json" for f in folders],
    ))

specs_repository = repository_rule(
    doc = "Links a checkout of the published specs, and lists its documents.",
    implementation = _specs_repository_impl,
    environ = ["ARMATURE_SPECS", "HOME", "XDG_CACHE_HOME"],
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
