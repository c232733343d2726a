package casestudies

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/shape"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/apiversion"
	"github.com/armature-dev/armature/runtime/conversion"
)

// chain is the way of Armature, with the generated packages of crm and its hooks.
type chain struct {
	*group
	types []reflect.Type // by version
}

type resource interface {
	conversion.Convertible
	conversion.KubernetesResource
}

func newChain(g *group) *chain {
	g.Helper()
	all := runtime.NewScheme()
	if err := scheme.AddToScheme(all); err != nil {
		g.Fatal(err)
	}
	types := map[string]reflect.Type{}
	for known, typ := range all.AllKnownTypes() {
		if known.Kind == kind {
			types[known.Version] = typ
		}
	}
	c := &chain{group: g}
	for _, name := range g.names() {
		if types[name] == nil {
			g.Fatalf("crm has no version %s", name)
		}
		c.types = append(c.types, types[name])
	}
	return c
}

func (c *chain) create(at int, object map[string]any) (map[string]any, int) {
	object["metadata"] = map[string]any{"namespace": "default", "name": "ada"}
	return c.write(at, object), 0
}

func (c *chain) read(at int, stored map[string]any) map[string]any {
	c.Helper()
	hub := c.new(at).NewHub()
	c.copy(stored, hub)
	seen := c.new(at)
	if err := seen.ConvertFrom(hub); err != nil {
		c.Fatal(err)
	}
	var object map[string]any
	c.copy(seen, &object)
	return object
}

func (c *chain) write(at int, object map[string]any) map[string]any {
	c.Helper()
	written := c.new(at)
	c.copy(object, written)
	hub := written.NewHub()
	if err := written.ConvertTo(hub); err != nil {
		c.Fatal(err)
	}
	var stored map[string]any
	c.copy(hub, &stored)
	return stored
}

func (c *chain) new(at int) resource { return reflect.New(c.types[at]).Interface().(resource) }

// copy copies an object by way of its JSON, as it comes from an API server.
func (c *chain) copy(from, to any) {
	c.Helper()
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		c.Fatal(err)
	}
}

// bags returns the bytes of the bags in an object.
func bags(object map[string]any) (bytes int) {
	for name, x := range object {
		below, _ := x.(map[string]any)
		if name == "$propertyBag" {
			bytes += encoded(below)
		} else {
			bytes += bags(below)
		}
	}
	return bytes
}

// encoded returns the bytes of a value as JSON.
func encoded(x any) int {
	text, _ := json.Marshal(x)
	return len(text)
}

// costs shows what each version costs in the chain.
func (c *chain) costs() string {
	c.Helper()
	next, lines, sum := map[string]string{}, map[string]int{}, 0
	for _, p := range c.plan("", c.versions...) {
		if p.Role == plan.Storage {
			next[p.Name], lines[p.Name] = p.Resources[0].Next, c.emitted(p)
			sum += lines[p.Name]
		}
	}
	return c.table("hops to the hub | lines of its storage package | bytes of the stored Spec | of these in bags | "+
		"bytes of its largest annotation", func(i int) []any {
		name := apiversion.Storage(c.names()[i])
		hops, largest := 0, 0
		for at := name; next[at] != ""; at = next[at] {
			hops++
		}
		stored, _ := c.create(i, c.full(i))
		for client := range c.versions {
			metadata := c.read(client, stored)["metadata"].(map[string]any)
			annotations, _ := metadata["annotations"].(map[string]any)
			text, _ := annotations[annotation.Remainder].(string)
			largest = max(largest, len(text))
		}
		return []any{hops, lines[name], encoded(stored["spec"]), bags(stored), largest}
	}) + fmt.Sprintf("| **all** | | **%d** | | | |\n", sum)
}

// emitted returns the number of lines that the generator writes for a package.
func (g *group) emitted(p *plan.Package) (n int) {
	g.Helper()
	for _, file := range []func(*shape.Package) ([]byte, error){emit.Types, emit.DeepCopy, emit.Register, emit.Conversion} {
		text, err := file(shape.New(p, g.version(p.APIVersion)))
		if err != nil {
			g.Fatal(err)
		}
		n += bytes.Count(text, []byte("\n"))
	}
	return n
}

// TestSteps checks that the steps of direct conversions, as this test carries them out, show
// a client what the generated packages show, for all pairs of versions without hooks between.
func TestSteps(t *testing.T) {
	g := readGroup(t)
	c, d := newChain(g), &direct{group: g}
	for i, from := range g.versions {
		for j, to := range g.versions {
			if last := g.index(hooked); i <= last != (j <= last) {
				continue
			}
			want, _ := d.convert(from, to, spec(g.full(i)), false)
			stored, _ := c.create(i, g.full(i))
			if diff := cmp.Diff(want, spec(c.read(j, stored))); diff != "" {
				t.Errorf("%s at %s (-steps +generated):\n%s", from.APIVersion, to.APIVersion, diff)
			}
		}
	}
}
