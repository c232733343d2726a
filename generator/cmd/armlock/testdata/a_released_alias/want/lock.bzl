"""Hubs and links of the group. Written by `bazel run //apis/crm:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Person": {
            "hub": "v1beta20150505storage",
            "released": [
                "v1alpha1api20130303storage"
            ]
        }
    },
    "links": {}
}
