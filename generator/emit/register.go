package emit

import (
	"fmt"
	"strconv"

	"github.com/armature-dev/armature/generator/gofile"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/shape"
)

// Register returns the file register.go of a package, with its group and version
// and the function that adds its types to a scheme. It uses apimachinery's
// builder, because API packages should not import controller-runtime.
func Register(pkg *shape.Package) ([]byte, error) {
	f := gofile.New(pkg.ImportPath, pkg.Name, "register.go")
	f.Reserve("scheme")
	f.PackageDoc(packageDoc(pkg.Package), "kubebuilder:object:generate=true", "groupName="+pkg.Group)
	schema, runtime, meta := f.Import(schemaPath), f.Import(runtimePath), f.Import(metaPath)
	f.P("var (")
	f.P("// GroupVersion is the API group and version of the package.")
	f.P("GroupVersion = ", schema, ".GroupVersion{Group: ", strconv.Quote(pkg.Group), ", Version: ", strconv.Quote(pkg.Name), "}")
	f.P()
	f.P("// SchemeBuilder collects what AddToScheme adds.")
	f.P("SchemeBuilder = ", runtime, ".NewSchemeBuilder(addKnownTypes)")
	f.P()
	f.P("// AddToScheme adds the types of the package to a scheme.")
	f.P("AddToScheme = SchemeBuilder.AddToScheme")
	f.P(")")
	f.P()
	f.P("func addKnownTypes(scheme *", runtime, ".Scheme) error {")
	f.P("scheme.AddKnownTypes(GroupVersion,")
	for _, r := range pkg.Declared() {
		f.P("&", r.Kind, "{}, &", r.Kind, "List{},")
	}
	f.P(")")
	f.P(meta, ".AddToGroupVersion(scheme, GroupVersion)")
	f.P("return nil")
	f.P("}")
	return f.Bytes()
}

func packageDoc(pkg *plan.Package) string {
	what := fmt.Sprintf("has API version %s of %s", pkg.APIVersion, pkg.Provider)
	if pkg.Role == plan.Storage {
		what = fmt.Sprintf("has the stored form of API version %s of %s", pkg.APIVersion, pkg.Provider)
	}
	return fmt.Sprintf("Package %s %s.", pkg.Name, what)
}
