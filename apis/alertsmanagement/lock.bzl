"""Hubs and links of the group. Written by //apis/alertsmanagement:lock.update; do not edit."""

LOCK = {
    "resources": {
        "PrometheusRuleGroup": {
            "hub": "v20230301storage",
            "versions": [
                "v20230301"
            ],
            "digests": {
                "v20230301": "c8a8ba490ed9"
            }
        },
        "SmartDetectorAlertRule": {
            "hub": "v20210401storage",
            "versions": [
                "v20210401"
            ],
            "digests": {
                "v20210401": "5c5914718f07"
            }
        }
    },
    "links": {}
}
