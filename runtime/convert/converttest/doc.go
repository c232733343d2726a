// Package converttest tests the mappings of package convert, or of any other
// conversion of a CRD: [RunTable] the single mappings, each by a row of a table,
// and [RunCRDVersionTest] their sum, by taking objects up through all versions
// of the CRD and down again, in memory or through an API server.
package converttest
