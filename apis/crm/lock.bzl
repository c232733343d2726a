"""Hubs and links of the group. Written by `bazel run //apis/crm:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Party": {
            "hub": "v1beta20211111storage"
        },
        "Person": {
            "hub": "v1beta20211111storage",
            "aliases": [
                "v1alpha1api20110101storage",
                "v1alpha1api20120202storage",
                "v1alpha1api20130303storage",
                "v1alpha1api20140404previewstorage",
                "v1alpha1api20140404storage",
                "v1alpha1api20150505storage"
            ]
        }
    },
    "links": {}
}
