"""What is left of a group whose specs are absent."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//rules/private:skip.bzl", "skipped_group")

_CONSTRAINT = "//rules:ARMATURE_SPECS_names_a_checkout_of_the_published_specs"

def _skipped_impl(ctx):
    env = unittest.begin(ctx)
    wanted = [
        "cache",
        "crds",
        "documents",
        "go",
        "graph",
        "lock.update",
        "renames",
        "report",
        "sample",
        "samples",
        "scheme",
        "shapes",
        "sources",
        "v1beta20200101",
        "v1beta20200101storage",
    ]
    asserts.equals(env, {name: [_CONSTRAINT] for name in wanted}, ctx.attr.found)

    # No platform has the constraint, so that nobody can build them, and `build //...` leaves them out.
    constraint = ctx.attr._constraint[platform_common.ConstraintValueInfo]
    asserts.false(env, ctx.target_platform_has_constraint(constraint))
    return unittest.end(env)

_skipped_test = unittest.make(_skipped_impl, attrs = {
    "found": attr.string_list_dict(doc = "What each target must be compatible with."),
    "_constraint": attr.label(default = _CONSTRAINT),
})

def skipped_test_suite(name):
    """Declares a skipped group in this package, and the test of it."""
    skipped_group("cache", ["v1beta20200101", "v1beta20200101storage"], ["//visibility:private"])
    found = {
        target: [
            "//%s:%s" % (c.package, c.name)
            for c in [native.package_relative_label(c) for c in rule["target_compatible_with"]]
        ]
        for target, rule in native.existing_rules().items()
    }
    _skipped_test(name = name + "_test", found = found)
