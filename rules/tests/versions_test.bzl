"""The names that the build graph depends on."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//rules/private:versions.bzl", "document", "kube_name", "parse")

def _names_impl(ctx):
    env = unittest.begin(ctx)
    patterns = {"ga_name": "v{date}", "preview_name": "v{date}alpha1", "other_preview_name": "v0alpha{date}"}
    asserts.equals(env, "v20200601", kube_name(parse("2020-06-01"), patterns))
    asserts.equals(env, "v20210301alpha1", kube_name(parse("2021-03-01-preview"), patterns))
    asserts.equals(env, "v0alpha20210301", kube_name(parse("2021-03-01-privatepreview"), patterns))
    return unittest.end(env)

def _document_impl(ctx):
    env = unittest.begin(ctx)

    # A label has a colon too, and is not taken for a format.
    for entry, format, name in [
        ("specs/x.json", "", "specs/x.json"),
        ("jsonschema:specs/x.json", "jsonschema", "specs/x.json"),
        (":x.json", "", ":x.json"),
        ("//apis/shop:specs/x.json", "", "//apis/shop:specs/x.json"),
        ("@specs//:x.json", "", "@specs//:x.json"),
        ("swagger://apis/shop:specs/x.json", "swagger", "//apis/shop:specs/x.json"),
    ]:
        asserts.equals(env, struct(name = name, format = format), document(entry))
    return unittest.end(env)

document_test = unittest.make(_document_impl)
names_test = unittest.make(_names_impl)

def versions_test_suite(name):
    """All tests of versions.bzl."""
    unittest.suite(name, document_test, names_test)
