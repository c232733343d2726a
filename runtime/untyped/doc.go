// Package untyped converts custom resources between the versions of their CRD
// where there are no Go types for them, only JSON. Package conversion is for
// generated Go types. The main types are [ConversionMapping], one step that a
// person wrote, and [ConvertFunction], which goes all steps and is made by
// [MakeConvertFunction].
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
// mappings 4 and 5. Two versions are adjacent if a mapping joins them; usually
// they are neighbours in Kubernetes' order of versions. Mappings that make a
// cycle are refused, because two ways between two versions could give different
// results.
//
// # Writing a mapping
//
// A mapping converts spec and status. The convert function does the rest:
//
//   - It sets the apiVersion. A mapping may leave it as it is or set it itself; any
//     other value is an error.
//   - It restores metadata that a mapping leaves out, and returns an error for
//     metadata that a mapping changes. Labels and annotations may change: they are
//     as the mapping returns them, unless it returns no metadata at all. This is
//     Kubernetes' rule for conversion webhooks, but the API server drops most other
//     changes silently.
//   - It turns a panic in a mapping into a [PanicError].
//
// A mapping is called from several goroutines at once, so it has no state. It
// should not lose anything: put what the next version has no place for into an
// annotation, from which the mapping back takes it. Package examples/backup is a
// CRD with four versions, one of which needs that.
//
// # Testing and serving
//
// [Validate] says what a set of mappings lacks for a CRD. Package untypedtest has
// table tests of single mappings, and a test that takes objects up through all
// versions and down again. [ConvertRequest] answers the ConversionReview of an API
// server.
package untyped
