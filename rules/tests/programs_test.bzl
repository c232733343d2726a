"""Tests of the names of groups in a program."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//rules/private:programs.bzl", "identifiers")

def _identifiers_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(
        env,
        ["cache", "petshop", "cache_2", "group3d"],
        identifiers([
            "example.com/apis/cache/scheme",
            "example.com/apis/pet-shop/scheme",
            "github.com/armature-dev/armature/apis/cache/scheme",
            "example.com/apis/3d/scheme",
        ]),
    )
    return unittest.end(env)

identifiers_test = unittest.make(_identifiers_impl)

def programs_test_suite(name):
    """All tests of programs.bzl."""
    unittest.suite(name, identifiers_test)
