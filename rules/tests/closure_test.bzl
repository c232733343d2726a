"""Tests of the files that a spec refers to, which are the inputs of its ArmLoad."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//rules/private:closure.bzl", "closures", "files_of", "references")

_EXPRESSION = {"$ref": "https://schema.management.azure.com/schemas/common/definitions.json#/definitions/expression"}

def _references_impl(ctx):
    env = unittest.begin(ctx)
    document = {
        "a": [{"$ref": "../common/types.json#/definitions/A"}, {"$ref": "#/definitions/Here"}],
        "b": {"$ref": "./c.json"},
        "examples": {"$ref": "./examples/create.json"},
        "property called $ref": {"properties": {"$ref": {"type": "string"}}},
        "self": {"$ref": "s.json#/definitions/Here"},
        "value": {"oneOf": [{"type": "string"}, _EXPRESSION]},
        "base": {"$ref": "https://schema.management.azure.com/schemas/common/definitions.json#/definitions/resourceBase"},
    }
    asserts.equals(
        env,
        ["arm-json-schema/schemas/common/definitions.json", "x/common/types.json", "x/v1/c.json"],
        references("x/v1/s.json", document),
    )
    return unittest.end(env)

def _closures_impl(ctx):
    env = unittest.begin(ctx)
    files = {
        "a.json": '{"$ref": "b.json"}',
        "b.json": '{"x": {"$ref": "c.json#/y"}, "z": {"$ref": "missing.json"}}',
        "c.json": '{"$ref": "a.json"}',  # a cycle of files is allowed
        "d.json": "no JSON",
    }
    asserts.equals(env, {
        "a.json": ["a.json", "b.json", "c.json"],
        "b.json": ["b.json", "a.json", "c.json"],
        "c.json": ["c.json", "a.json", "b.json"],
        "d.json": ["d.json"],
    }, closures(files.keys(), files.get))
    return unittest.end(env)

def _files_of_impl(ctx):
    env = unittest.begin(ctx)
    found = {
        "a.json": ["a.json", "common.json"],
        "b.json": ["b.json", "common.json"],
        "other.json": ["other.json", "rare.json"],
    }

    # An edit of a file that neither document refers to must not read them again.
    asserts.equals(env, ["a.json", "common.json", "b.json"], files_of(["a.json", "b.json"], found))
    return unittest.end(env)

files_of_test = unittest.make(_files_of_impl)
references_test = unittest.make(_references_impl)
closures_test = unittest.make(_closures_impl)

def closure_test_suite(name):
    """All tests of closure.bzl."""
    unittest.suite(name, references_test, closures_test, files_of_test)
