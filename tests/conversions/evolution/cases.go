package evolution

// Cases are real changes of published properties. Cases with the same number in
// their IDs are properties of one change.
var Cases = []Case{
	{ID: "D1 a status that was set, vanished, and came back read-only", Group: "servicebus", Kind: "ServiceBusNamespace", Half: "Spec", Path: "status", At: []string{"v1beta20150801"}},
	{ID: "D1b and is in the response", Group: "servicebus", Kind: "ServiceBusNamespace", Half: "Status", Path: "status", At: []string{"v1beta20150801", "v1alpha20180101"}},
	{ID: "D2 one object became a list", Group: "servicebus", Kind: "ServiceBusNamespace", Half: "Spec", Path: "encryption.keyVaultProperties", At: []string{"v1alpha20180101", "v1alpha20210101"}, Examples: []Example{
		{At: "v1alpha20180101", Set: `{"encryption":{"keyVaultProperties":{"keyName":"k"}}}`, To: "v1alpha20210101", See: `{"encryption":{"keyVaultProperties":[{"keyName":"k"}]}}`,
			Edit: `{"encryption":{"keyVaultProperties":[{"keyName":"l","keyVersion":"1"}]}}`, Want: `{"encryption":{"keyVaultProperties":{"keyName":"l"}}}`},
		{At: "v1alpha20210101", Set: `{"encryption":{"keyVaultProperties":[{"keyName":"k"},{"keyName":"l"}]}}`, To: "v1alpha20180101", See: `{"encryption":{}}`},
		{At: "v1alpha20210101", Set: `{"encryption":{"keyVaultProperties":[{"keyName":"k"},{"keyName":"l"}]}}`, To: "v1alpha20180101", See: `{"encryption":{}}`,
			Edit: `{"encryption":{"keyVaultProperties":{"keyName":"m"}}}`, Want: `{"encryption":{"keyVaultProperties":[{"keyName":"m"}]}}`},
	}},
	{ID: "D3 D27 an object with a list became the list", Group: "cache", Kind: "Redis", Half: "Status", Path: "linkedServers", At: []string{"v1beta20170201", "v1beta20171001"}},
	{ID: "D4 a map became an object", Group: "cache", Kind: "Redis", Half: "Spec", Path: "redisConfiguration", At: []string{"v1beta20171001", "v1beta20200601"}},
	{ID: "D4b a constant changed its case", Group: "cache", Kind: "Redis", Half: "Status", Path: "type", At: []string{"v1beta20171001", "v1beta20200601"}},
	{ID: "D5 all properties became a union, for one preview", Group: "documentdb", Kind: "DatabaseAccount", Half: "Spec", At: []string{"v1beta20200901", "v1alpha20210301", "v1beta20210315"}},
	{ID: "D6 a map became an object", Group: "documentdb", Kind: "SqlDatabase", Half: "Spec", Path: "options", At: []string{"v1beta20190801", "v1beta20191212", "v1beta20200901"}},
	{ID: "D6b text became a number", Group: "documentdb", Kind: "SqlDatabase", Half: "Spec", Path: "options.throughput", At: []string{"v1beta20191212", "v1beta20200901"}, Examples: []Example{
		{At: "v1beta20191212", Set: `{"options":{"throughput":"400"}}`, To: "v1beta20200901", See: `{"options":{"throughput":400}}`, Edit: `{"options":{"throughput":500}}`, Want: `{"options":{"throughput":"500"}}`},
		{At: "v1beta20191212", Set: `{"options":{"throughput":"007"}}`, To: "v1beta20200901", See: `{"options":{}}`},
		{At: "v1beta20191212", Set: `{"options":{"throughput":"007"}}`, To: "v1beta20210315", See: `{"options":{}}`, Edit: `{"options":{"throughput":7}}`, Want: `{"options":{"throughput":"7"}}`},
	}},
	{ID: "D7 the members of an enum changed their case", Group: "documentdb", Kind: "SqlDatabaseContainer", Half: "Spec", Path: "resource.indexingPolicy.indexingMode", At: []string{"v1beta20191212", "v1beta20200901", "v1alpha20210301"}},
	{ID: "D8 a preview's property is not in the GA version", Group: "eventgrid", Kind: "EventSubscription", Half: "Spec", Path: "deliveryWithResourceIdentity", At: []string{"v1alpha20200401", "v1alpha20201015"}},
	{ID: "D8b and has a union inside", Group: "eventgrid", Kind: "EventSubscription", Half: "Spec", Path: "deliveryWithResourceIdentity.destination", At: []string{"v1alpha20200401", "v1alpha20201015"}},
	{ID: "D9 an object was replaced", Group: "dbforpostgresql", Kind: "FlexibleServer", Half: "Spec", Path: "storageProfile", At: []string{"v1alpha20200214"}},
	{ID: "D9b by another", Group: "dbforpostgresql", Kind: "FlexibleServer", Half: "Spec", Path: "storage", At: []string{"v1alpha20210601"}},
	{ID: "D9c a property", Group: "dbforpostgresql", Kind: "FlexibleServer", Half: "Status", Path: "publicNetworkAccess", At: []string{"v1alpha20200214"}},
	{ID: "D9d moved into an object", Group: "dbforpostgresql", Kind: "FlexibleServer", Half: "Spec", Path: "network", At: []string{"v1alpha20210601"}},
	{ID: "D9e a flag", Group: "dbforpostgresql", Kind: "FlexibleServer", Half: "Spec", Path: "haEnabled", At: []string{"v1alpha20200214"}},
	{ID: "D9f became an object", Group: "dbforpostgresql", Kind: "FlexibleServer", Half: "Spec", Path: "highAvailability", At: []string{"v1alpha20210601"}},
	{ID: "D10 an object vanished, and came back with other properties", Group: "batch", Kind: "BatchAccountPool", Half: "Spec", Path: "deploymentConfiguration.virtualMachineConfiguration.osDisk", At: []string{"v1beta20170901", "v1beta20210601"}, Examples: []Example{
		{At: "v1beta20170901", Set: `{"deploymentConfiguration":{"virtualMachineConfiguration":{"osDisk":{"caching":"ReadOnly"}}}}`, To: "v1beta20221001",
			See:  `{"deploymentConfiguration":{"virtualMachineConfiguration":{"osDisk":{}}}}`,
			Edit: `{"deploymentConfiguration":{"virtualMachineConfiguration":{"osDisk":{"ephemeralOSDiskSettings":{"placement":"CacheDisk"}}}}}`,
			Want: `{"deploymentConfiguration":{"virtualMachineConfiguration":{"osDisk":{"caching":"ReadOnly"}}}}`},
	}},
	{ID: "D11 a name changed its case", Group: "batch", Kind: "BatchAccountPool", Half: "Spec", Path: "networkConfiguration.dynamicVNetAssignmentScope", At: []string{"v1beta20220601", "v1beta20221001"}},
	{ID: "D11b and another in a list", Group: "batch", Kind: "BatchAccountPool", Half: "Spec", Path: "mountConfiguration.[].cifsMountConfiguration.username", At: []string{"v1beta20220601", "v1beta20221001"}},
	{ID: "D12 a number of days", Group: "kusto", Kind: "Database", Half: "Spec", Path: "hotCachePeriodInDays", At: []string{"v1alpha20180907"}},
	{ID: "D12b became a duration", Group: "kusto", Kind: "Database", Half: "Spec", Path: "hotCachePeriod", At: []string{"v1beta20190515"}},
	{ID: "D13 the resource became a union", Group: "kusto", Kind: "Database", Half: "Spec", At: []string{"v1beta20190515", "v1beta20190907"}},
	{ID: "D13b text became a flag, in a variant", Group: "kusto", Kind: "Database", Half: "Status", Path: "readWrite.isFollowed", At: []string{"v1beta20191109", "v1beta20200215"}},
	{ID: "D14 an object", Group: "compute", Kind: "Disk", Half: "Spec", Path: "encryptionSettings", At: []string{"v1beta20180601"}},
	{ID: "D14b became one with a list", Group: "compute", Kind: "Disk", Half: "Spec", Path: "encryptionSettingsCollection", At: []string{"v1beta20180930"}},
	{ID: "D15 a flag", Group: "compute", Kind: "VirtualMachineScaleSet", Half: "Spec", Path: "upgradePolicy.automaticOSUpgrade", At: []string{"v1beta20180601"}},
	{ID: "D15b moved into an object", Group: "compute", Kind: "VirtualMachineScaleSet", Half: "Spec", Path: "upgradePolicy.automaticOSUpgradePolicy", At: []string{"v1beta20181001"}},
	{ID: "D16 a member of an enum changed its case and back", Group: "containerservice", Kind: "ManagedCluster", Half: "Spec", Path: "networkProfile.networkPluginMode", At: []string{"v1alpha20230102", "v1beta20230201", "v1alpha20230202"}},
	{ID: "D17 two previews have it, the GA version between them has not", Group: "containerservice", Kind: "ManagedCluster", Half: "Spec", Path: "ingressProfile", At: []string{"v1alpha20230102", "v1alpha20230202"}},
	{ID: "D17b and what is in it grew", Group: "containerservice", Kind: "ManagedCluster", Half: "Spec", Path: "ingressProfile.webAppRouting", At: []string{"v1alpha20230102", "v1alpha20230202"}, Examples: []Example{
		{At: "v1alpha20230102", Set: `{"ingressProfile":{"webAppRouting":{"enabled":true}}}`, To: "v1alpha20230202", See: `{"ingressProfile":{"webAppRouting":{"enabled":true}}}`,
			Edit: `{"ingressProfile":{"webAppRouting":{"enabled":false}}}`, Want: `{"ingressProfile":{"webAppRouting":{"enabled":false}}}`},
	}},
	{ID: "D18 an enum became text", Group: "containerservice", Kind: "AgentPool", Half: "Spec", Path: "vmSize", At: []string{"v1beta20210201", "v1beta20210301"}},
	{ID: "D19 untyped JSON became an object", Group: "storage", Kind: "ManagementPolicy", Half: "Spec", Path: "policy", At: []string{"v1alpha20180301", "v1beta20181101"}},
	{ID: "D19b the members of an enum changed their case, in a list", Group: "storage", Kind: "StorageAccount", Half: "Spec", Path: "networkAcls.virtualNetworkRules.[].state", At: []string{"v1beta20210201", "v1beta20210401"}},
	{ID: "D20 a property was renamed", Group: "keyvault", Kind: "VaultPrivateEndpointConnection", Half: "Spec", Path: "privateLinkServiceConnectionState.actionRequired", At: []string{"v1beta20180214"}, Examples: []Example{
		{At: "v1beta20180214", Set: `{"privateLinkServiceConnectionState":{"actionRequired":"None"}}`, To: "v1beta20190901", See: `{"privateLinkServiceConnectionState":{"actionsRequired":"None"}}`},
	}},
	{ID: "D20b and became an enum", Group: "keyvault", Kind: "VaultPrivateEndpointConnection", Half: "Spec", Path: "privateLinkServiceConnectionState.actionsRequired", At: []string{"v1beta20190901", "v1alpha20200401"}},
	{ID: "D21 untyped JSON became a map", Group: "authorization", Kind: "PolicyAssignment", Half: "Spec", Path: "parameters", At: []string{"v1beta20190601", "v1beta20190901"}},
	{ID: "D22 a list was added", Group: "signalrservice", Kind: "SignalR", Half: "Spec", Path: "features", At: []string{"v1beta20181001"}},
	{ID: "D23 a list, an object, absent, an object, a list", Group: "containerservice", Kind: "AgentPool", Half: "Spec", Path: "virtualMachinesProfile.scale.autoscale", At: []string{"v1alpha20250102", "v1alpha20250402", "v1alpha20260202"}, Examples: []Example{
		{At: "v1alpha20250102", Set: `{"virtualMachinesProfile":{"scale":{"autoscale":[{"maxCount":3}]}}}`, To: "v1alpha20250402", See: `{"virtualMachinesProfile":{"scale":{"autoscale":{"maxCount":3}}}}`,
			Edit: `{"virtualMachinesProfile":{"scale":{"autoscale":{"maxCount":4}}}}`, Want: `{"virtualMachinesProfile":{"scale":{"autoscale":[{"maxCount":4}]}}}`},
		{At: "v1alpha20250102", Set: `{"virtualMachinesProfile":{"scale":{"autoscale":[{"maxCount":3},{"maxCount":4}]}}}`, To: "v1alpha20250402", See: `{"virtualMachinesProfile":{"scale":{}}}`,
			Edit: `{"virtualMachinesProfile":{"scale":{"autoscale":{"maxCount":5}}}}`, Want: `{"virtualMachinesProfile":{"scale":{"autoscale":[{"maxCount":5}]}}}`},
		{At: "v1alpha20250102", Set: `{"virtualMachinesProfile":{"scale":{"autoscale":[{"maxCount":3},{"maxCount":4}]}}}`, To: "v1alpha20260202", See: `{"virtualMachinesProfile":{"scale":{"autoscale":[{"maxCount":3},{"maxCount":4}]}}}`},
	}},
	{ID: "D24 an object became a map", Group: "containerservice", Kind: "AgentPool", Half: "Spec", Path: "localDNSProfile.kubeDNSOverrides", At: []string{"v1alpha20250402", "v1alpha20260202"}},
	{ID: "D25 text vanished, and came back as an object", Group: "containerservice", Kind: "ManagedCluster", Half: "Spec", Path: "networkProfile.advancedNetworking.security.transitEncryption", At: []string{"v1alpha20250402"}},
	{ID: "D26 an enum was added", Group: "dbforpostgresql", Kind: "FlexibleServer", Half: "Spec", Path: "authConfig.activeDirectoryAuth"},
	{ID: "D28 all properties became read-only", Group: "storage", Kind: "ManagementPolicy", Half: "Spec", At: []string{"v1alpha20180301", "v1beta20181101"}},
	{ID: "D28b in the response", Group: "storage", Kind: "ManagementPolicy", Half: "Status", At: []string{"v1alpha20180301", "v1beta20181101"}},
	// Other renames in the groups, which must convert too.
	{ID: "R1 a property was renamed", Group: "batch", Kind: "BatchAccountPool", Half: "Spec", Path: "deploymentConfiguration.cloudServiceConfiguration.targetOSVersion", At: []string{"v1beta20170901"}, Examples: []Example{
		{At: "v1beta20170901", Set: `{"deploymentConfiguration":{"cloudServiceConfiguration":{"targetOSVersion":"*"}}}`, To: "v1beta20181201", See: `{"deploymentConfiguration":{"cloudServiceConfiguration":{"osVersion":"*"}}}`,
			Edit: `{"deploymentConfiguration":{"cloudServiceConfiguration":{"osVersion":"7"}}}`, Want: `{"deploymentConfiguration":{"cloudServiceConfiguration":{"targetOSVersion":"7"}}}`},
	}},
	{ID: "R2 in a list", Group: "batch", Kind: "BatchAccountPool", Half: "Spec", Path: "startTask.resourceFiles.[].blobSource", At: []string{"v1beta20170901"}, Examples: []Example{
		{At: "v1beta20170901", Set: `{"startTask":{"resourceFiles":[{"blobSource":"https://a/b"}]}}`, To: "v1beta20221001", See: `{"startTask":{"resourceFiles":[{"httpUrl":"https://a/b"}]}}`},
		{At: "v1beta20221001", Set: `{"startTask":{"resourceFiles":[{"storageContainerUrl":"https://a"}]}}`, To: "v1beta20170901", See: `{"startTask":{"resourceFiles":[{}]}}`},
	}},
	{ID: "R3 between two later versions", Group: "batch", Kind: "BatchAccountPool", Half: "Spec", Path: "maxTasksPerNode", At: []string{"v1beta20170901", "v1beta20181201"}, Examples: []Example{
		{At: "v1beta20170901", Set: `{"maxTasksPerNode":4}`, To: "v1beta20210101", See: `{"taskSlotsPerNode":4}`, Edit: `{"taskSlotsPerNode":8}`, Want: `{"maxTasksPerNode":8}`},
	}},
	{ID: "R4 with its type", Group: "documentdb", Kind: "SqlDatabaseThroughputSetting", Half: "Spec", Path: "resource.provisionedThroughputSettings", At: []string{"v1beta20191212"}, Examples: []Example{
		{At: "v1beta20191212", Set: `{"resource":{"provisionedThroughputSettings":{"maxThroughput":4000}}}`, To: "v1beta20200901", See: `{"resource":{"autoscaleSettings":{"maxThroughput":4000}}}`,
			Edit: `{"resource":{"autoscaleSettings":{"maxThroughput":5000}}}`, Want: `{"resource":{"provisionedThroughputSettings":{"maxThroughput":5000}}}`},
	}},
	{ID: "R5 from a preview to the GA version", Group: "containerservice", Kind: "ManagedCluster", Half: "Spec", Path: "networkProfile.ebpfDataplane", At: []string{"v1alpha20230102"}, Examples: []Example{
		{At: "v1alpha20230102", Set: `{"networkProfile":{"ebpfDataplane":"cilium"}}`, To: "v1beta20230201", See: `{"networkProfile":{"networkDataplane":"cilium"}}`},
	}},
	{ID: "R6 between previews, with its type", Group: "containerservice", Kind: "ManagedCluster", Half: "Spec", Path: "guardrailsProfile", At: []string{"v1alpha20230202"}, Examples: []Example{
		{At: "v1alpha20230202", Set: `{"guardrailsProfile":{"level":"Warning","version":"1"}}`, To: "v1alpha20250102", See: `{"safeguardsProfile":{"level":"Warning","version":"1"}}`},
	}},
	{ID: "R7 a property, its type, and one inside", Group: "compute", Kind: "VirtualMachineScaleSet", Half: "Spec", Path: "upgradePolicy.autoOSUpgradePolicy", At: []string{"v1beta20180601"}, Examples: []Example{
		{At: "v1beta20180601", Set: `{"upgradePolicy":{"autoOSUpgradePolicy":{"disableAutoRollback":true}}}`, To: "v1beta20181001", See: `{"upgradePolicy":{"automaticOSUpgradePolicy":{"disableAutomaticRollback":true}}}`},
	}},
	{ID: "R8 a type alone", Group: "servicebus", Kind: "ServiceBusNamespace", Half: "Spec", Path: "sku", At: []string{"v1beta20150801", "v1beta20170401"}, Examples: []Example{
		{At: "v1beta20150801", Set: `{"sku":{"name":"Standard"}}`, To: "v1beta20170401", See: `{"sku":{"name":"Standard"}}`},
	}},
}
