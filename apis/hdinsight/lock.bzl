"""Hubs and links of the group. Written by //apis/hdinsight:lock.update; do not edit."""

LOCK = {
    "resources": {
        "HDInsightApplication": {
            "hub": "v20210601storage",
            "versions": [
                "v20210601"
            ],
            "digests": {
                "v20210601": "32ceb1b9a423"
            }
        },
        "HDInsightCluster": {
            "hub": "v20210601storage",
            "versions": [
                "v20210601"
            ],
            "digests": {
                "v20210601": "79869b5537f6"
            }
        }
    },
    "links": {}
}
