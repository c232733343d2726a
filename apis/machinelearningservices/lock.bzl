"""Hubs and links of the group. Written by //apis/machinelearningservices:lock.update; do not edit."""

LOCK = {
    "resources": {
        "MachineLearningCompute": {
            "hub": "v20260501storage",
            "versions": [
                "v20260301",
                "v20260501"
            ],
            "digests": {
                "v20260301": "c2addfc692c1",
                "v20260501": "c2addfc692c1"
            }
        },
        "MachineLearningConnection": {
            "hub": "v20260501storage",
            "versions": [
                "v20260301",
                "v20260501"
            ],
            "digests": {
                "v20260301": "d616e88cc59c",
                "v20260501": "d616e88cc59c"
            }
        },
        "MachineLearningRegistry": {
            "hub": "v20260501storage",
            "versions": [
                "v20260301",
                "v20260501"
            ],
            "digests": {
                "v20260301": "d93c136411fd",
                "v20260501": "d93c136411fd"
            }
        },
        "MachineLearningWorkspace": {
            "hub": "v20260501storage",
            "versions": [
                "v20260301",
                "v20260501"
            ],
            "digests": {
                "v20260301": "b645fb953188",
                "v20260501": "b645fb953188"
            }
        }
    },
    "links": {
        "v20260301storage": [
            "v20260501storage"
        ]
    },
    "names": {
        "AmlComputeProperties": {
            "propertyBag": "amlComputePropertiesPropertyBag"
        }
    }
}
