"""What arm_service_group refuses: the folders macro_* of //tests/golden/badinput."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//rules/private:refusals.bzl", "refusals")
load("//tests/golden/badinput:published.bzl", "PUBLISHED")
load(
    "//tests/golden/badinput:testdata/macro_a_version_without_facts/call.bzl",
    LACKING_CALL = "CALL",
    LACKING_WANT = "WANT",
)
load(
    "//tests/golden/badinput:testdata/macro_a_version_that_is_no_date/call.bzl",
    DATE_CALL = "CALL",
    DATE_WANT = "WANT",
)
load("//tests/golden/badinput:testdata/macro_invalid_aliases/call.bzl", ALIASES_CALL = "CALL", ALIASES_WANT = "WANT")
load(
    "//tests/golden/badinput:testdata/macro_an_alias_prefix_that_collides/call.bzl",
    PREFIX_CALL = "CALL",
    PREFIX_WANT = "WANT",
)
load(
    "//tests/golden/badinput:testdata/macro_an_unknown_value_of_specs/call.bzl",
    SPECS_CALL = "CALL",
    SPECS_WANT = "WANT",
)
load(
    "//tests/golden/badinput:testdata/macro_an_importpath_that_is_none/call.bzl",
    PATH_CALL = "CALL",
    PATH_WANT = "WANT",
)
load("//tests/golden/badinput:testdata/macro_hooks_for_no_package/call.bzl", HOOKS_CALL = "CALL", HOOKS_WANT = "WANT")
load(
    "//tests/golden/badinput:testdata/macro_two_versions_with_one_name/call.bzl",
    NAME_CALL = "CALL",
    NAME_WANT = "WANT",
)

_DEFAULTS = {
    "aliases": {},
    "augment": [],
    "facts": {},
    "importpath": "example.com/apis/shop",
    "patterns": {"ga_name": "v{date}", "preview_name": "v{date}alpha1", "other_preview_name": "v0alpha{date}"},
    "specs": "tree",
    "update": "./bazelw run //tools/add -- shop --update --stable=0",
    "versions": {},
}

def _refusals(**call):
    return refusals(**(_DEFAULTS | call))

def _refusals_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, LACKING_WANT, _refusals(**LACKING_CALL))
    asserts.equals(env, DATE_WANT, _refusals(**DATE_CALL))
    asserts.equals(env, SPECS_WANT, _refusals(**SPECS_CALL))
    asserts.equals(env, NAME_WANT, _refusals(**NAME_CALL))
    asserts.equals(env, ALIASES_WANT, _refusals(**ALIASES_CALL))
    asserts.equals(env, PREFIX_WANT, _refusals(**PREFIX_CALL))
    asserts.equals(env, PATH_WANT, _refusals(**PATH_CALL))
    asserts.equals(env, HOOKS_WANT, _refusals(**HOOKS_CALL))
    asserts.equals(env, [
        "importpath is missing: give the Go import path of this folder, which is the module's path in go.mod and then " +
        "the folder, such as \"example.com/apis/shop\"",
    ], _refusals(importpath = None, versions = {"2020-01-01": ["a.json"]}))
    asserts.equals(env, ["versions is empty: expected at least one ARM API version, with its documents"], _refusals())
    return unittest.end(env)

def _accepted_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, [], _refusals(versions = {
        "2020-01-01": ["a.json", "jsonschema:b.json"],
        "2020-02-29-preview": ["c.json"],
    }))
    asserts.equals(env, [], _refusals(
        facts = {"2020-01-01": "specs/2020-01-01.facts.json"},
        specs = PUBLISHED,
        versions = {"2020-01-01": ["swagger:shop/2020-01-01/carts.json", "ref:shop/types.json"]},
    ))

    # With facts a version needs no documents, wherever these are.
    asserts.equals(env, [], _refusals(facts = {"2020-01-01": "specs/2020-01-01.facts.json"}, versions = {"2020-01-01": []}))
    asserts.equals(env, [], _refusals(
        facts = {"2020-01-01": "specs/2020-01-01.facts.json"},
        specs = PUBLISHED,
        versions = {"2020-01-01": []},
    ))

    # A preview and the GA version of the same date have aliases with different names, and both may have hooks.
    asserts.equals(env, [], _refusals(
        aliases = {"v1alpha1api": ["2020-01-01", "2020-01-01-preview"], "v1old": ["2020-01-01"]},
        augment = ["augment/v1alpha1api20200101preview/cart.go"],
        versions = {"2020-01-01": ["a.json"], "2020-01-01-preview": ["b.json"]},
    ))
    return unittest.end(env)

refusals_test = unittest.make(_refusals_impl)
accepted_test = unittest.make(_accepted_impl)

def refusals_test_suite(name):
    """All tests of refusals.bzl."""
    unittest.suite(name, refusals_test, accepted_test)
