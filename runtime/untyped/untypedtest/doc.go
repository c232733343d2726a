// Package untypedtest tests conversions of a CRD that has no Go types. [RunTable]
// tests single conversions, each by a row of a table. [RunCRDVersionTest] takes
// objects up through all versions of the CRD and down again, in memory or through
// an API server.
package untypedtest
