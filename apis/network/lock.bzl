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
                "v20180801": "6c4e415617a1",
                "v20181101": "2c58c8b1c352",
                "v20201101": "c99e9ba4a611",
                "v20250701": "b1e4b9dab388",
                "v20250901": "1cfa087a478c"
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
                "v20220701": "12111af0aacc",
                "v20250501": "7419ac8c76d5"
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
                "v20201101": "9ef3c6bfaa4b",
                "v20250701": "0412c6de2553",
                "v20250901": "76571c441705"
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
                "v20180801": "c1bcaffbe89f",
                "v20181101": "421a88eb4f61",
                "v20201101": "153a07b4c78f",
                "v20250701": "ea9745857f93",
                "v20250901": "577a2cf8dca4"
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
                "v20180801": "986737dc01c7",
                "v20181101": "ac5362b505d6",
                "v20201101": "4d23da75cd7d",
                "v20250701": "32435af917d3",
                "v20250901": "8faa0f3d3554"
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
                "v20201101": "bf9b2232430f",
                "v20250701": "e741720d27e5",
                "v20250901": "e741720d27e5"
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
                "v20201101": "92a4f5bbaaa8",
                "v20250701": "a52f4c1a701a",
                "v20250901": "82061913d1b2"
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
                "v20201101": "f782d3c68acd",
                "v20250701": "5d1b8cc12ccb",
                "v20250901": "6b5a82cb03ce"
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
                "v20180801": "26f499396a1b",
                "v20181101": "a311f6066e1d",
                "v20201101": "5d7b72a8abf0",
                "v20250701": "89d9aedc20ae",
                "v20250901": "7fb71a7a0a48"
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
                "v20180801": "e0f777c408ea",
                "v20181101": "82d567c59ca1",
                "v20201101": "06eab8cda116",
                "v20250701": "ef171cfa9ecb",
                "v20250901": "29296b59a0c8"
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
                "v20180801": "33e6316aa3ea",
                "v20181101": "33e6316aa3ea",
                "v20201101": "8c1308b53c96",
                "v20250701": "7b8ce3f13673",
                "v20250901": "7b8ce3f13673"
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
                "v20180801": "5ec9edcec49e",
                "v20181101": "c6488d4684bb",
                "v20201101": "c61fe99a02de",
                "v20250701": "9a50f6d613b4",
                "v20250901": "6cb3cd1223cf"
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
                "v20250701": "22a4727a4b79",
                "v20250901": "22a4727a4b79"
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
                "v20180801": "ca8e7a6d6a3f",
                "v20181101": "a737a790506e",
                "v20201101": "785e222b3a15",
                "v20250701": "a6094a0904a3",
                "v20250901": "9bb962f0c0e1"
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
