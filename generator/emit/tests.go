package emit

import "github.com/armature-dev/armature/generator/plan"

// Tests returns the file laws_test.go of a package, which tries the laws on every
// resource. Its package is external: that compiles in a fraction of the time that
// compiling the package with its tests would take.
func Tests(pkg *plan.Package) ([]byte, error) {
	f := NewFile(pkg.ImportPath+"_test", pkg.Name+"_test")
	f.Reserve("t")
	enums := "" // a storage package has none
	if pkg.Role == plan.API && len(pkg.Resources) > 0 {
		enums = ", " + f.Ident(pkg.ImportPath, "Enums") + "..."
	}
	for _, r := range pkg.Resources {
		f.P("func Test", r.Kind, "(t *", f.Ident("testing", "T"), ") {")
		f.P("t.Parallel()")
		f.P(f.Ident("github.com/armature-dev/armature/tests/laws", "Version"), "(t, &", f.Ident(pkg.ImportPath, r.Kind), "{}", enums, ")")
		f.P("}")
		f.P()
	}
	return f.Bytes()
}
