// Package convert converts custom resources between the versions of their CRD
// where there are no Go types for them, only JSON. Its main types are
// [ConversionMapping], one step that a person wrote, and [ConvertFunction],
// which walks the steps and is made by [MakeConvertFunction].
//
// A mapping joins two adjacent versions in one direction, so N versions need
// 2N-2 of them, and a new version brings two:
//
//	          1                2               3
//	v1alpha1 ───► v1alpha2 ───────► v1beta1 ───────► v1      up
//	v1alpha1 ◄─── v1alpha2 ◄─────── v1beta1 ◄─────── v1      down
//	          6                5               4
//
// From v1alpha1 to v1 an object passes mappings 1, 2 and 3, from v1 to v1alpha2
// 4 and 5. Adjacent are the versions that a mapping joins, usually neighbours in
// Kubernetes' order of versions. There is one way only from a version to
// another: mappings that make a cycle are refused, since two ways could give two
// results.
//
// # Writing a mapping
//
// A mapping cares for spec and status. What else there is, the walk does:
//
//   - apiVersion becomes that of the next version. A mapping may leave it as it
//     is or set it itself; any other value is an error.
//   - Metadata that a mapping leaves out comes back, and metadata that it changes
//     is an error. Labels and annotations are its own to change: they are what it
//     returns, unless it returns no metadata at all. This is Kubernetes' rule for
//     conversion webhooks, but the API server drops most other changes without a
//     word.
//   - A panic in a mapping is a [PanicError].
//
// The same mapping is called from several goroutines at once, so it has no
// state. It should not lose anything: what the next version has no place for
// goes into an annotation, from where the way back takes it. Package
// examples/backup is a CRD with four versions, one of which needs that.
//
// # Testing and serving
//
// [Validate] says what is missing from a set of mappings for a CRD. Package
// untypedtest has table tests of single mappings, and a test that takes objects
// up through all versions and down again. [ConvertRequest] answers the
// ConversionReview of an API server.
package untyped
