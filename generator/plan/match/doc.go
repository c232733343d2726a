// Package match decides how the properties of a package meet those of its
// neighbours. Its main function is [Pairs], which returns the steps of each
// conversion. docs/conversion.md explains the rules; this is the code that decides
// each, and a test that shows it:
//
//	a rename of a property or type    partnerProperty, Matches        TestPair
//	names that differ only in case    partnerProperty                 TestPair
//	assign, cast, copy, convert       Matcher.value                   TestPair
//	a safe change of type             Matcher.fit                     conversion: TestSafeChanges
//	no partner, or another type       Matcher.stash, Matcher.recall   TestRandomPairs
//	another shape from a bag          formers                         convert: TestPropertiesOfChangingShapes
//	another property of that name     RecallLimit.Shared              convert: TestPropertiesOfOneName
//	a member in another spelling      conversion.Member               convert: TestSpelling
//	the bag itself                    propertybag.Bag                 propertybag: TestStash, TestRecall
//
// Tests with a prefix are in runtime/conversion, runtime/propertybag and
// tests/golden/convert. The rows with D of tests/conversions/evolution show the
// same rules on real resources.
package match
