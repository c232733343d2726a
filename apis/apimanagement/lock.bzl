"""Hubs and links of the group. Written by //apis/apimanagement:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ApiManagementApi": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "4b19a6df52be",
                "v20240501": "41b1aabf8b3b"
            }
        },
        "ApiManagementApiDiagnostic": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "1b72a092178f",
                "v20240501": "f99eb3c8c0ed"
            }
        },
        "ApiManagementApiOperation": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "df0ca8f3511e",
                "v20240501": "333c25d3b648"
            }
        },
        "ApiManagementApiOperationPolicy": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "7133f6ccaa66",
                "v20240501": "4fb620d74b42"
            }
        },
        "ApiManagementApiPolicy": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "27b367bedbc4",
                "v20240501": "c24d52ca045a"
            }
        },
        "ApiManagementApiVersionSet": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "6bee6a64e32c",
                "v20240501": "d099c6aeeb7e"
            }
        },
        "ApiManagementAuthorization": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "ed3eaa864cd5",
                "v20240501": "ab3593cf2429"
            }
        },
        "ApiManagementAuthorizationAccessPolicy": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "0537676ee5b5",
                "v20240501": "206e6a6ebb24"
            }
        },
        "ApiManagementAuthorizationProvider": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "7571f0b9c757",
                "v20240501": "7571f0b9c757"
            }
        },
        "ApiManagementBackend": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "0feda920b50a",
                "v20240501": "ff52a5de9c4e"
            }
        },
        "ApiManagementCertificate": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "5115ad2eca83",
                "v20240501": "dc0635cfd749"
            }
        },
        "ApiManagementDiagnostic": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "fb1f556fbd8f",
                "v20240501": "f3456b524b31"
            }
        },
        "ApiManagementGateway": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "b7aab6338981",
                "v20240501": "b7aab6338981"
            }
        },
        "ApiManagementGatewayApi": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "af81ac1e5e75",
                "v20240501": "33c0affe5512"
            }
        },
        "ApiManagementGatewayCertificateAuthority": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "39c381e14850",
                "v20240501": "39c381e14850"
            }
        },
        "ApiManagementGatewayHostnameConfiguration": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "865f8340fbaf",
                "v20240501": "865f8340fbaf"
            }
        },
        "ApiManagementGroup": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "2e6d703b8e06",
                "v20240501": "81581316ac4e"
            }
        },
        "ApiManagementLogger": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "0f374436f9da",
                "v20240501": "f5df83ad9d3a"
            }
        },
        "ApiManagementNamedValue": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "c4500bcdc717",
                "v20240501": "4582ca5b764e"
            }
        },
        "ApiManagementPolicy": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "1026958e14fa",
                "v20240501": "b512578eaa2a"
            }
        },
        "ApiManagementPolicyFragment": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "d59a950b1938",
                "v20240501": "c9746410d19e"
            }
        },
        "ApiManagementProduct": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "3c7017ce85f0",
                "v20240501": "b5c54c8977ba"
            }
        },
        "ApiManagementProductApi": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "534270d0993e",
                "v20240501": "447912cef3b6"
            }
        },
        "ApiManagementProductGroup": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "60aed234bf4f",
                "v20240501": "0fc9e705074a"
            }
        },
        "ApiManagementProductPolicy": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "92d6d4486daa",
                "v20240501": "8659e140349c"
            }
        },
        "ApiManagementService": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "b03e03879b00",
                "v20240501": "41c621ae7b2c"
            }
        },
        "ApiManagementSubscription": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "8b38592ca197",
                "v20240501": "c37f7c715bf1"
            }
        },
        "ApiManagementUser": {
            "hub": "v20240501storage",
            "versions": [
                "v20220801",
                "v20240501"
            ],
            "digests": {
                "v20220801": "cd4f8bf9de63",
                "v20240501": "645e5d5da3d6"
            }
        }
    },
    "links": {
        "v20220801storage": [
            "v20240501storage"
        ]
    },
    "names": {
        "ApiManagementApi": {
            "properties/type": "type",
            "type": "armType"
        },
        "ApiManagementBackend": {
            "properties/properties": "propertiesProperties",
            "properties/type": "type",
            "type": "armType"
        },
        "ApiManagementGatewayApi": {
            "properties/type": "type",
            "type": "armType"
        },
        "ApiManagementGroup": {
            "properties/type": "type",
            "type": "armType"
        },
        "ApiManagementProductApi": {
            "properties/type": "type",
            "type": "armType"
        },
        "ApiManagementProductGroup": {
            "properties/type": "type",
            "type": "armType"
        }
    }
}
