"""Hubs and links of the group. Written by //apis/insights:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ActionGroup": {
            "hub": "v20230101storage",
            "versions": [
                "v20230101"
            ],
            "digests": {
                "v20230101": "a951e16ab772"
            }
        },
        "ActivityLogAlert": {
            "hub": "v20260101storage",
            "versions": [
                "v20260101"
            ],
            "digests": {
                "v20260101": "57dbc9a9380c"
            }
        },
        "ApplicationInsightsComponent": {
            "hub": "v20200202storage",
            "versions": [
                "v20200202"
            ],
            "digests": {
                "v20200202": "49b48059fd76"
            }
        },
        "AutoscaleSetting": {
            "hub": "v20221001storage",
            "versions": [
                "v20210501alpha1",
                "v20221001"
            ],
            "digests": {
                "v20210501alpha1": "9819e57c2a4a",
                "v20221001": "9819e57c2a4a"
            }
        },
        "DataCollectionEndpoint": {
            "hub": "v20240311storage",
            "versions": [
                "v20230311",
                "v20240311"
            ],
            "digests": {
                "v20230311": "c0817e72c8d2",
                "v20240311": "70607c22aaab"
            }
        },
        "DataCollectionRule": {
            "hub": "v20240311storage",
            "versions": [
                "v20230311",
                "v20240311"
            ],
            "digests": {
                "v20230311": "0ddcf0739276",
                "v20240311": "bcc110c3ee24"
            }
        },
        "DataCollectionRuleAssociation": {
            "hub": "v20240311storage",
            "versions": [
                "v20230311",
                "v20240311"
            ],
            "digests": {
                "v20230311": "b9033d3459f8",
                "v20240311": "75f919c5076d"
            }
        },
        "DiagnosticSetting": {
            "hub": "v20210501alpha1storage",
            "versions": [
                "v20210501alpha1"
            ],
            "digests": {
                "v20210501alpha1": "a2adf5131534"
            }
        },
        "MetricAlert": {
            "hub": "v20260101storage",
            "versions": [
                "v20260101"
            ],
            "digests": {
                "v20260101": "463d288408f7"
            }
        },
        "ScheduledQueryRule": {
            "hub": "v20260301storage",
            "versions": [
                "v20231201",
                "v20260301"
            ],
            "digests": {
                "v20231201": "99d92de605ab",
                "v20260301": "3ce2ae20b25a"
            }
        },
        "WebTest": {
            "hub": "v20220615storage",
            "versions": [
                "v20220615"
            ],
            "digests": {
                "v20220615": "355f40093749"
            }
        },
        "Workbook": {
            "hub": "v20230601storage",
            "versions": [
                "v20220401",
                "v20230601"
            ],
            "digests": {
                "v20220401": "557d0d55e763",
                "v20230601": "557d0d55e763"
            }
        }
    },
    "links": {
        "v20210501alpha1storage": [
            "v20221001storage"
        ],
        "v20220401storage": [
            "v20230601storage"
        ],
        "v20230311storage": [
            "v20240311storage"
        ],
        "v20231201storage": [
            "v20260301storage"
        ]
    },
    "names": {
        "ApplicationInsightsComponent": {
            "name": "armName",
            "properties/Name": "name"
        },
        "AutoscaleSetting": {
            "name": "armName",
            "properties/name": "name"
        },
        "WebTest": {
            "kind": "kind",
            "name": "armName",
            "properties/Kind": "propertiesKind",
            "properties/Name": "name"
        },
        "Workbook": {
            "properties/tags": "propertiesTags",
            "tags": "tags"
        }
    }
}
