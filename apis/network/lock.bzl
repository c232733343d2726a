"""Hubs and links of the group. Written by //apis/network:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ApplicationGateway": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "1a8b95bc5fdd",
                "v20181101": "3c4391daaaa6",
                "v20201101": "1d5d4b4f3bf3",
                "v20250701": "bb9f079abb43",
                "v20250901": "f6a9c5908145"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "ApplicationGatewayWebApplicationFirewallPolicy": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "394bc43b3ad3",
                "v20250701": "c8c1b836779d",
                "v20250901": "e43fa39e8254"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "ApplicationSecurityGroup": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "80b7bb9a8e5e",
                "v20181101": "80b7bb9a8e5e",
                "v20201101": "80b7bb9a8e5e",
                "v20250701": "80b7bb9a8e5e",
                "v20250901": "80b7bb9a8e5e"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "AzureFirewall": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "65f0e6b1aa02",
                "v20181101": "7fc7709b314f",
                "v20201101": "d03623fe8f98",
                "v20250701": "ce7753090b8d",
                "v20250901": "ce7753090b8d"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "BastionHost": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "f9ed42052854",
                "v20250701": "cae7811152d6",
                "v20250901": "cae7811152d6"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "DdosProtectionPlan": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "ae0d0f0a00d2",
                "v20181101": "ae0d0f0a00d2",
                "v20201101": "ae0d0f0a00d2",
                "v20250701": "d12200bf6283",
                "v20250901": "d12200bf6283"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "DnsZone": {
            "hub": "v20180501storage",
            "versions": [
                "v20180501"
            ],
            "digests": {
                "v20180501": "ee43717d77f7"
            }
        },
        "FirewallPolicy": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "692d7ac44c04",
                "v20250701": "fea14ee39802",
                "v20250901": "f9fcd1e0d466"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "FirewallPolicyRuleCollectionGroup": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "1cc9fbd950ce",
                "v20250701": "59ceec57e6c2",
                "v20250901": "5caf45fbc3b5"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "FrontDoorWebApplicationFirewallPolicy": {
            "hub": "v20251101storage",
            "versions": [
                "v20201101",
                "v20240201",
                "v20251001",
                "v20251101"
            ],
            "digests": {
                "v20201101": "a299c08932de",
                "v20240201": "1f89b7ec42ad",
                "v20251001": "5fd12d233efe",
                "v20251101": "1964bec63ed1"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "LoadBalancer": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "d69e509fe334",
                "v20181101": "840773ff2b09",
                "v20201101": "165568f72914",
                "v20250701": "cc41db629925",
                "v20250901": "c8a1137fb881"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "LoadBalancerInboundNatRule": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "4627870d651f",
                "v20181101": "9e51fa74591e",
                "v20201101": "08c1e8b340da",
                "v20250701": "cf23dbfd22e2",
                "v20250901": "e56d55e8bb60"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "NatGateway": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "5a2925ac578f",
                "v20250701": "b1cb555d13e5",
                "v20250901": "b1cb555d13e5"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "NetworkInterface": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "cc970cd7c9b6",
                "v20181101": "5846c77ff142",
                "v20201101": "c8fd194c1b1a",
                "v20250701": "eff5685f12b6",
                "v20250901": "9998b43f1ad1"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "NetworkSecurityGroup": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "f921f9277744",
                "v20181101": "569d1a1e913e",
                "v20201101": "523887647f19",
                "v20250701": "2c0805f8bb1f",
                "v20250901": "4cfba649b49a"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "NetworkSecurityGroupSecurityRule": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "ce3002b33d3d",
                "v20181101": "ce3002b33d3d",
                "v20201101": "4d1085fd5c25",
                "v20250701": "3341748a5cd2",
                "v20250901": "3341748a5cd2"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "NetworkWatcher": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "be44587b81f3",
                "v20181101": "be44587b81f3",
                "v20201101": "2eb3d5a9ed73",
                "v20250701": "2eb3d5a9ed73",
                "v20250901": "2eb3d5a9ed73"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "NetworkWatcherFlowLog": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "d62a5d82c907",
                "v20250701": "78afd02651d0",
                "v20250901": "78afd02651d0"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "PrivateDnsZone": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20240601"
            ],
            "digests": {
                "v20180901": "22d6be3d52a1",
                "v20240601": "3077ccaaf448"
            },
            "former": [
                "v20180901storage"
            ]
        },
        "PrivateDnsZoneVirtualNetworkLink": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20240601"
            ],
            "digests": {
                "v20180901": "6ef9f0af1694",
                "v20240601": "a08746fe4405"
            },
            "former": [
                "v20180901storage"
            ]
        },
        "PrivateEndpoint": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "e31ad961ef66",
                "v20250701": "9d0baec7934e",
                "v20250901": "68b4c9cd59ef"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "PrivateEndpointPrivateDnsZoneGroup": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "37734d3a2259",
                "v20250701": "11a4750eeeb0",
                "v20250901": "11a4750eeeb0"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "PrivateLinkService": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "03f34204f50b",
                "v20250701": "34c7e5690d70",
                "v20250901": "ce2405c8617d"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "PublicIPAddress": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "e7471fe34c29",
                "v20181101": "9bd3a33fcaa8",
                "v20201101": "859ee924dab8",
                "v20250701": "ccfbdcae3d68",
                "v20250901": "9e162ce57d22"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "PublicIPPrefix": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "e17cb5e91ec2",
                "v20181101": "e17cb5e91ec2",
                "v20201101": "ec6b35bad001",
                "v20250701": "8be2a18c321a",
                "v20250901": "bca094fc4570"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "RouteTable": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "eda14c2ff557",
                "v20181101": "ad1e19576b9a",
                "v20201101": "b1bb5a776f9c",
                "v20250701": "e8d69e31ab64",
                "v20250901": "6d902d675bb9"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "RouteTableRoute": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "4ab6276f7e77",
                "v20181101": "4ab6276f7e77",
                "v20201101": "6f2d7f3bde0a",
                "v20250701": "ebf9a7d222e2",
                "v20250901": "ebf9a7d222e2"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "TrafficManagerProfile": {
            "hub": "v20180801storage",
            "versions": [
                "v20180801"
            ],
            "digests": {
                "v20180801": "5fb6182bcf58"
            }
        },
        "VirtualHubRouteTable": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "dadf75475bc4",
                "v20250701": "4c056922f6b5",
                "v20250901": "4c056922f6b5"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "VirtualNetwork": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "998bdf846be7",
                "v20181101": "bad811796c86",
                "v20201101": "4d5e44f368f7",
                "v20250701": "9b08ae6e0cab",
                "v20250901": "f1fd295bc5dd"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "VirtualNetworkGateway": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "6a876882619b",
                "v20181101": "6a876882619b",
                "v20201101": "e0d6a7a0a87d",
                "v20250701": "794154ca987c",
                "v20250901": "794154ca987c"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "VirtualNetworkPeering": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "2f4f8ac41e52",
                "v20181101": "2f4f8ac41e52",
                "v20201101": "703859022dce",
                "v20250701": "3112ff0d02f6",
                "v20250901": "3112ff0d02f6"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "VirtualNetworkSubnet": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "2ee77d19d707",
                "v20181101": "dc7ccb4b29d4",
                "v20201101": "90c884660619",
                "v20250701": "288cd2324a07",
                "v20250901": "80b8ac8aef71"
            },
            "former": [
                "v20201101storage"
            ]
        }
    },
    "links": {
        "v20180801storage": [
            "v20181101storage"
        ],
        "v20180901storage": [
            "v20240601storage"
        ],
        "v20181101storage": [
            "v20201101storage"
        ],
        "v20201101storage": [
            "v20240201storage",
            "v20250701storage"
        ],
        "v20240201storage": [
            "v20251001storage"
        ],
        "v20250701storage": [
            "v20250901storage"
        ],
        "v20251001storage": [
            "v20251101storage"
        ]
    }
}
