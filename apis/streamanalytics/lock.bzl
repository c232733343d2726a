"""Hubs and links of the group. Written by //apis/streamanalytics:lock.update; do not edit."""

LOCK = {
    "resources": {
        "StreamAnalyticsCluster": {
            "hub": "v20200301storage",
            "versions": [
                "v20200301"
            ],
            "digests": {
                "v20200301": "ee7e73214f53"
            }
        },
        "StreamingJob": {
            "hub": "v20200301storage",
            "versions": [
                "v20200301"
            ],
            "digests": {
                "v20200301": "566c49ee7d4b"
            }
        },
        "StreamingJobFunction": {
            "hub": "v20200301storage",
            "versions": [
                "v20200301"
            ],
            "digests": {
                "v20200301": "d608cb79efb9"
            }
        },
        "StreamingJobInput": {
            "hub": "v20200301storage",
            "versions": [
                "v20200301"
            ],
            "digests": {
                "v20200301": "9831c4888c1f"
            }
        },
        "StreamingJobOutput": {
            "hub": "v20200301storage",
            "versions": [
                "v20200301"
            ],
            "digests": {
                "v20200301": "375884a338e1"
            }
        },
        "StreamingJobTransformation": {
            "hub": "v20200301storage",
            "versions": [
                "v20200301"
            ],
            "digests": {
                "v20200301": "8916201b0ada"
            }
        }
    },
    "links": {}
}
