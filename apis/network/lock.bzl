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
        "DnsForwardingRuleset": {
            "hub": "v20250501storage",
            "versions": [
                "v20220701",
                "v20250501"
            ],
            "digests": {
                "v20220701": "69e93bbad470",
                "v20250501": "69e93bbad470"
            }
        },
        "DnsForwardingRulesetForwardingRule": {
            "hub": "v20250501storage",
            "versions": [
                "v20220701",
                "v20250501"
            ],
            "digests": {
                "v20220701": "44985612cfc7",
                "v20250501": "92e303f12af8"
            }
        },
        "DnsForwardingRulesetVirtualNetworkLink": {
            "hub": "v20250501storage",
            "versions": [
                "v20220701",
                "v20250501"
            ],
            "digests": {
                "v20220701": "daed76fb4931",
                "v20250501": "daed76fb4931"
            }
        },
        "DnsResolver": {
            "hub": "v20250501storage",
            "versions": [
                "v20220701",
                "v20250501"
            ],
            "digests": {
                "v20220701": "753273913aaf",
                "v20250501": "753273913aaf"
            }
        },
        "DnsResolverInboundEndpoint": {
            "hub": "v20250501storage",
            "versions": [
                "v20220701",
                "v20250501"
            ],
            "digests": {
                "v20220701": "37e96d64ab1c",
                "v20250501": "0d8d16f9e510"
            }
        },
        "DnsResolverOutboundEndpoint": {
            "hub": "v20250501storage",
            "versions": [
                "v20220701",
                "v20250501"
            ],
            "digests": {
                "v20220701": "790772d15a51",
                "v20250501": "790772d15a51"
            }
        },
        "DnsZone": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "6796f48a01be",
                "v20180501": "ee43717d77f7"
            }
        },
        "DnsZoneAAAARecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "f79a860e3602",
                "v20180501": "1c0f52abc7d3"
            }
        },
        "DnsZoneARecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "089955e55c1e",
                "v20180501": "317092613173"
            }
        },
        "DnsZoneCAARecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "38b1ef0c9200",
                "v20180501": "b1ec6f68c6fd"
            }
        },
        "DnsZoneCNAMERecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "f9bc30ca06e3",
                "v20180501": "c1b62716c749"
            }
        },
        "DnsZoneMXRecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "d1a0fe677cb8",
                "v20180501": "b770c0917179"
            }
        },
        "DnsZoneNSRecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "5b0d03c08f83",
                "v20180501": "e05d6d1381cf"
            }
        },
        "DnsZonePTRRecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "8f09af81d77d",
                "v20180501": "bf9d1d2037e9"
            }
        },
        "DnsZoneSRVRecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "329dbf707351",
                "v20180501": "8ab5b06eae08"
            }
        },
        "DnsZoneTXTRecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "5d86db248fd2",
                "v20180501": "f468f4a21fbd"
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
                "v20201101": "87b4d4def1a1",
                "v20240201": "d935206af339",
                "v20251001": "d653820ded16",
                "v20251101": "62ede40151d8"
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
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "22d6be3d52a1",
                "v20200601": "db40113e026f",
                "v20240601": "3077ccaaf448"
            },
            "former": [
                "v20180901storage"
            ]
        },
        "PrivateDnsZoneAAAARecord": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "8a8dfca47773",
                "v20200601": "70e0a2eb2d02",
                "v20240601": "7225c202b2cc"
            }
        },
        "PrivateDnsZoneARecord": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "4c58a30bbfff",
                "v20200601": "58ce2669bad1",
                "v20240601": "6652315ae767"
            }
        },
        "PrivateDnsZoneCNAMERecord": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "4ed376575a16",
                "v20200601": "faca53bce2f9",
                "v20240601": "24bf8049a961"
            }
        },
        "PrivateDnsZoneMXRecord": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "f58cd2ef84f2",
                "v20200601": "56940ba1f913",
                "v20240601": "fc801c48aca1"
            }
        },
        "PrivateDnsZonePTRRecord": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "b158115c3395",
                "v20200601": "6832b9a9ea59",
                "v20240601": "60f8cac1b1c7"
            }
        },
        "PrivateDnsZoneSRVRecord": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "7b4c6e99a0d2",
                "v20200601": "e61287fa7107",
                "v20240601": "32f87ab76787"
            }
        },
        "PrivateDnsZoneTXTRecord": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "7b985c5a8bf7",
                "v20200601": "d5db441040b9",
                "v20240601": "1d28b695840e"
            }
        },
        "PrivateDnsZoneVirtualNetworkLink": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "6ef9f0af1694",
                "v20200601": "6ef9f0af1694",
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
            "hub": "v20220401storage",
            "versions": [
                "v20180801",
                "v20220401"
            ],
            "digests": {
                "v20180801": "77154016148a",
                "v20220401": "8fabfb5b2926"
            },
            "former": [
                "v20180801storage"
            ]
        },
        "TrafficManagerProfileAzureEndpoint": {
            "hub": "v20220401storage",
            "versions": [
                "v20180801",
                "v20220401"
            ],
            "digests": {
                "v20180801": "b015e8e8aa3e",
                "v20220401": "51d668249df8"
            }
        },
        "TrafficManagerProfileExternalEndpoint": {
            "hub": "v20220401storage",
            "versions": [
                "v20180801",
                "v20220401"
            ],
            "digests": {
                "v20180801": "de74c0e5c4a4",
                "v20220401": "a12f0b44e52f"
            }
        },
        "TrafficManagerProfileNestedEndpoint": {
            "hub": "v20220401storage",
            "versions": [
                "v20180801",
                "v20220401"
            ],
            "digests": {
                "v20180801": "d83ec03e0b0e",
                "v20220401": "64f3138e9e86"
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
        "v20171001storage": [
            "v20180501storage"
        ],
        "v20180801storage": [
            "v20181101storage",
            "v20220401storage"
        ],
        "v20180901storage": [
            "v20200601storage"
        ],
        "v20181101storage": [
            "v20201101storage"
        ],
        "v20200601storage": [
            "v20240601storage"
        ],
        "v20201101storage": [
            "v20240201storage",
            "v20250701storage"
        ],
        "v20220701storage": [
            "v20250501storage"
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
