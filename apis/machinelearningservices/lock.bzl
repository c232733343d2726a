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
                "v20260301": "1edb00287acc",
                "v20260501": "1edb00287acc"
            }
        },
        "MachineLearningConnection": {
            "hub": "v20260501storage",
            "versions": [
                "v20260301",
                "v20260501"
            ],
            "digests": {
                "v20260301": "760cda2ab4a5",
                "v20260501": "760cda2ab4a5"
            }
        },
        "MachineLearningRegistry": {
            "hub": "v20260501storage",
            "versions": [
                "v20260301",
                "v20260501"
            ],
            "digests": {
                "v20260301": "03d3cfcc9058",
                "v20260501": "03d3cfcc9058"
            }
        },
        "MachineLearningWorkspace": {
            "hub": "v20260501storage",
            "versions": [
                "v20260301",
                "v20260501"
            ],
            "digests": {
                "v20260301": "738d4c8d064e",
                "v20260501": "738d4c8d064e"
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
