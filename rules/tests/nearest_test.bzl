"""The suggestions in messages."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//rules/private:nearest.bzl", "did_you_mean")

def _did_you_mean_impl(ctx):
    env = unittest.begin(ctx)
    for name, want in {
        "netwrk": '; did you mean "network"?',
        "quantum": "",
        "storge": '; did you mean "storage"?',
        "wbe": "",
        "web2": '; did you mean "web"?',
    }.items():
        asserts.equals(env, want, did_you_mean(name, ["network", "storage", "web"]))
    asserts.equals(env, "", did_you_mean("web", []))
    return unittest.end(env)

did_you_mean_test = unittest.make(_did_you_mean_impl)

def nearest_test_suite(name):
    """All tests of nearest.bzl."""
    unittest.suite(name, did_you_mean_test)
