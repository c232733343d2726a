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
                "v20260301": "311f33774ee9",
                "v20260501": "311f33774ee9"
            }
        },
        "MachineLearningConnection": {
            "hub": "v20260501storage",
            "versions": [
                "v20260301",
                "v20260501"
            ],
            "digests": {
                "v20260301": "386d8b43a8f2",
                "v20260501": "386d8b43a8f2"
            }
        },
        "MachineLearningRegistry": {
            "hub": "v20260501storage",
            "versions": [
                "v20260301",
                "v20260501"
            ],
            "digests": {
                "v20260301": "0a6c9c5af11b",
                "v20260501": "0a6c9c5af11b"
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
