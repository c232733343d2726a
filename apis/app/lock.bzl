"""Hubs and links of the group. Written by //apis/app:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ContainerApp": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20250701",
                "v1beta20260101"
            ]
        },
        "ContainerAppAuthConfig": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20250701",
                "v1beta20260101"
            ]
        },
        "ContainerAppJob": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20250701",
                "v1beta20260101"
            ]
        },
        "ManagedEnvironment": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20250701",
                "v1beta20260101"
            ]
        },
        "ManagedEnvironmentCertificate": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20250701",
                "v1beta20260101"
            ]
        },
        "ManagedEnvironmentDaprComponent": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20250701",
                "v1beta20260101"
            ]
        },
        "ManagedEnvironmentStorage": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20250701",
                "v1beta20260101"
            ]
        }
    },
    "links": {
        "v1beta20250701storage": [
            "v1beta20260101storage"
        ]
    }
}
