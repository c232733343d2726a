"""The names and default links that the build graph depends on."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//rules/private:versions.bzl", "default_links", "kube_name", "parse")

def _links(*names):
    return default_links([parse(n) for n in names])

def _names_impl(ctx):
    env = unittest.begin(ctx)
    ga, preview = "v1beta{date}", "v1alpha{date}"
    asserts.equals(env, "v1beta20200601", kube_name(parse("2020-06-01"), ga, preview))
    asserts.equals(env, "v1alpha20210301", kube_name(parse("2021-03-01-preview"), ga, preview))
    return unittest.end(env)

def _links_impl(ctx):
    env = unittest.begin(ctx)

    # The only version is the hub.
    asserts.equals(env, {}, _links("2020-01-01"))

    # An older version converts with the next later one, whatever the order given.
    asserts.equals(env, {"2019-01-01": "2020-01-01", "2020-01-01": "2021-01-01"}, _links("2021-01-01", "2019-01-01", "2020-01-01"))

    # A GA version skips previews on its way; a preview converts with its GA.
    asserts.equals(env, {
        "2013-03-03": "2014-04-04",
        "2014-04-04-preview": "2014-04-04",
    }, _links("2013-03-03", "2014-04-04-preview", "2014-04-04"))

    # A preview newer than every GA version looks back.
    asserts.equals(env, {"2022-12-12-preview": "2021-11-11"}, _links("2021-11-11", "2022-12-12-preview"))

    # Without a GA version the newest preview is the hub.
    asserts.equals(env, {"2020-01-01-preview": "2021-01-01-preview"}, _links("2020-01-01-preview", "2021-01-01-preview"))

    # Two previews in a row step through each other.
    asserts.equals(env, {
        "2020-01-01-preview": "2020-02-01-preview",
        "2020-02-01-preview": "2020-03-01",
    }, _links("2020-01-01-preview", "2020-02-01-preview", "2020-03-01"))
    return unittest.end(env)

names_test = unittest.make(_names_impl)
links_test = unittest.make(_links_impl)

def versions_test_suite(name):
    """All tests of versions.bzl."""
    unittest.suite(name, names_test, links_test)
