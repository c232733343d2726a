package payloads

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reference"
	"k8s.io/apimachinery/pkg/runtime"
)

// Check converts all examples below a folder to the types of a scheme and back.
// The body of each request becomes a Spec and then a body again, with the URL that
// the Spec says; a stand-in for ARM must answer both bodies alike. Each response
// becomes a Status and then a response again. The file exceptions, if there is
// one, lists the places where an example changes, below comments that say why. The golden file missing, if there is
// one, has the places of responses that no spec of their version has, by group.
func Check(t *testing.T, root string, scheme *runtime.Scheme, exceptions, missing string, expected Count) {
	t.Helper()
	examples, unmatched, err := find(root, scheme)
	if err != nil {
		t.Fatal(err)
	}
	server, err := armtest.New(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	count := Count{Others: len(unmatched)}
	listed := read(t, exceptions)
	files := map[string]bool{}
	places := map[string]int{}
	for _, x := range examples {
		files[x.File] = true
		r := x.check(server)
		for _, place := range r.missing {
			group, _, _ := strings.Cut(x.kind.gvk.Group, ".")
			places[fmt.Sprintf("%s %s at %s: %s", group, x.kind.gvk.Kind, x.APIVersion, place)]++
		}
		count.Requests++
		count.Responses += r.responses
		count.Invalid += r.invalid
		for _, err := range r.errors {
			t.Errorf("%s: %v", x.File, err)
		}
		for _, e := range r.exceptions {
			if line := x.File + ": " + e; !listed[line] {
				t.Errorf("not in %s, with a reason:\n%s", exceptions, line)
			} else {
				delete(listed, line)
			}
		}
	}
	for _, problem := range server.Unfit() {
		t.Errorf("the stand-in's answer does not satisfy the spec: %s", problem)
	}
	for line := range listed {
		t.Errorf("no longer so; remove it from %s:\n%s", exceptions, line)
	}
	var lines strings.Builder
	for _, place := range slices.Sorted(maps.Keys(places)) {
		fmt.Fprintf(&lines, "%s (%d)\n", place, places[place])
	}
	if missing != "" {
		golden.Equal(t, missing, lines.String())
	} else if lines.Len() > 0 {
		t.Errorf("no spec has these places of responses:\n%s", &lines)
	}
	if count.Files = len(files); count != expected {
		t.Errorf("found %+v, expected %+v", count, expected)
	}
}

// Count is how much there is to check.
type Count struct {
	// Files are fewer than Requests where operations share an example.
	Files, Requests, Responses int
	// Others are files with examples of what the groups do not have.
	Others int
	// Invalid are the requests that do not satisfy their own spec.
	Invalid int
}

// read returns the lines of a list of exceptions, without its comments.
func read(t *testing.T, file string) map[string]bool {
	t.Helper()
	listed := map[string]bool{}
	if file == "" {
		return listed
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			listed[line] = true
		}
	}
	return listed
}

// result has the findings of an example.
type result struct {
	// exceptions are the places at which the example changes.
	exceptions []string
	// missing are places of responses that neither the Status nor the Spec has.
	missing []string
	// errors are findings that are never allowed.
	errors    []error
	responses int
	invalid   int
}

func (x *example) check(server http.Handler) result {
	var result result
	x.checkRequest(&result, server)
	for _, status := range []string{"200", "201"} {
		if body := x.Responses[status].Body; body != nil {
			result.responses++
			x.checkResponse(&result, status, body)
		}
	}
	return result
}

func (r *result) fail(format string, args ...any) {
	r.errors = append(r.errors, fmt.Errorf(format, args...))
}

func (r *result) except(where string, differences []string) {
	for _, d := range differences {
		r.exceptions = append(r.exceptions, where+" "+d)
	}
}

func (r *result) exceptMisfits(where string, ignored arm.Ignored) {
	for _, m := range ignored.Misfits {
		r.except(where, []string{m.String()})
	}
}

func (x *example) checkRequest(result *result, server http.Handler) {
	body := x.body()
	if body == nil {
		result.except("request", []string{"no body"})
		result.invalid = 1
		return
	}
	spec := reflect.New(x.kind.spec)
	secrets := secrets{}
	ignored, err := arm.Decoder{KeepSecret: secrets.keep}.Decode(body, spec.Interface())
	if err != nil {
		result.except("request", strings.Split(err.Error(), "\n"))
	}
	result.exceptMisfits("request", ignored)
	x.checkURL(result, spec, secrets)
	sent, err := arm.Encode(context.Background(), spec.Interface(), secrets)
	if err != nil {
		result.fail("body: %w", err)
		return
	}
	result.except("request", compare(parse(body), parse(sent)))
	before, after := x.put(server, body), x.put(server, sent)
	if before != after {
		result.fail("the stand-in answers the example with:\n%s\nand what is sent with:\n%s", before, after)
	}
	if after != "" {
		result.invalid = 1
	}
}

// put sends a body to a stand-in for ARM, and returns its error, or "".
func (x *example) put(server http.Handler, body []byte) string {
	url := arm.URL(x.url(), x.APIVersion)
	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest(http.MethodPut, url, bytes.NewReader(body)))
	if w.Code == http.StatusOK || w.Code == http.StatusCreated {
		return ""
	}
	return w.Body.String()
}

// checkURL gives the Spec the owner and the name in the example's URL, and expects
// that the URL of the Spec is the same.
func (x *example) checkURL(result *result, spec reflect.Value, secrets secrets) {
	want := x.url()
	owner, name := x.owner()
	setOwner(spec, owner)
	if field := spec.Elem().FieldByName("AzureName"); field.IsValid() { // the name of the object is not sent where ARM wants a GUID
		field.Set(reflect.ValueOf(&name))
	}
	id, err := arm.ID(context.Background(), spec.Interface().(arm.ARMTransformer), name, secrets)
	switch {
	case err != nil:
		result.except("url", []string{err.Error()})
	case !strings.EqualFold(id, want):
		result.fail("url is %s, expected %s", id, want)
	}
}

func (x *example) checkResponse(result *result, httpStatus string, body []byte) {
	status := reflect.New(x.kind.status)
	ignored, err := arm.Decode(body, status.Interface())
	if err != nil {
		result.except(httpStatus, strings.Split(err.Error(), "\n"))
	}
	result.exceptMisfits(httpStatus, ignored)
	again, err := arm.Encode(context.Background(), status.Interface(), nil)
	if err != nil {
		result.fail("%s: %w", httpStatus, err)
		return
	}
	result.missing = append(result.missing, x.missing(body, ignored.Paths)...)
	differences := compare(parse(body), parse(again))
	if lost := len(differences); lost < ignored.Count {
		result.fail("%s: %d properties were ignored, and only %d are lost", httpStatus, ignored.Count, lost)
	}
	result.except(httpStatus, differences)
	if err := x.checkAdoption(body); err != nil {
		result.fail("%s: %w", httpStatus, err)
	}
}

// missing returns those of some places of a response, which the Status lacks, that the Spec lacks, too: it has secrets,
// and what the spec says that ARM does not show.
func (x *example) missing(body []byte, unknown []string) (places []string) {
	kept := secrets{}
	ofSpec, err := arm.Decoder{KeepSecret: kept.keep}.Decode(body, reflect.New(x.kind.spec).Interface())
	if err != nil {
		return nil // which is in the list of exceptions
	}
	for _, place := range unknown {
		if slices.Contains(ofSpec.Paths, place) {
			places = append(places, index.ReplaceAllString(place, "[]"))
		}
	}
	return places
}

var index = regexp.MustCompile(`\[\d+\]`)

// checkAdoption checks that the first PUT of an object that was imported changes nothing of what its version has, if
// the object keeps the rest.
func (x *example) checkAdoption(body []byte) error {
	newSpec := func() any { return reflect.New(x.kind.spec).Interface() }
	kept := secrets{}
	encoded := func(body []byte) ([]byte, error) {
		spec := newSpec()
		if _, err := (arm.Decoder{KeepSecret: kept.keep}).Decode(body, spec); err != nil {
			return nil, err
		}
		return arm.Encode(context.Background(), spec, kept)
	}
	sent, err := encoded(body)
	if err != nil {
		return nil // which is in the list of exceptions
	}
	overlay := arm.Overlay{Spec: newSpec(), Status: reflect.New(x.kind.status).Interface(), Drops: func(string) bool { return false }}
	laid, err := overlay.Lay(body, sent)
	if err != nil {
		return err
	}
	before, err := encoded(laid.Shown)
	if err != nil {
		return err
	}
	after, err := encoded(laid.Body)
	if err != nil {
		return err
	}
	// An object in which ARM writes everything is left out of what it shows, and the Spec may have it without content.
	const empty = "properties: came from nowhere"
	isEmpty := func(difference string) bool { return difference == empty }
	if differences := slices.DeleteFunc(compare(parse(before), parse(after)), isEmpty); len(differences) > 0 {
		return fmt.Errorf("the first PUT of what was imported would change %q", differences)
	}
	return nil
}

// secrets has the secrets of an example by their places. It resolves nothing else.
type secrets map[string]string

func (s secrets) keep(path, value string) (reference.Secret, error) {
	s[path] = value
	return reference.Secret{Name: "example", Key: path}, nil
}

func (s secrets) SecretValue(_ context.Context, ref reference.Secret) (string, error) {
	return s[ref.Key], nil
}

func (s secrets) ResourceID(_ context.Context, ref reference.Resource) (string, error) {
	return "", fmt.Errorf("asked for %v", ref)
}

func (s secrets) OwnerID(_ context.Context, armType, name string) (string, error) {
	return "", fmt.Errorf("asked for %s %s", armType, name)
}

// parse returns the value of valid JSON, with numbers as they are written.
func parse(text []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err)
	}
	return value
}

// compare lists the places at which two JSON values differ. A member that is null
// counts as absent.
func compare(want, got any) []string {
	var differences []string
	var walk func(path string, want, got any)
	walk = func(path string, want, got any) {
		differ := func(format string, args ...any) {
			differences = append(differences, path+": "+fmt.Sprintf(format, args...))
		}
		switch w := want.(type) {
		case map[string]any:
			g, ok := got.(map[string]any)
			if !ok {
				differ("an object became %s", text(got))
				return
			}
			for _, name := range slices.Sorted(maps.Keys(w)) {
				under := strings.TrimPrefix(path+"."+name, ".")
				if value, kept := g[name]; kept {
					walk(under, w[name], value)
				} else if w[name] != nil {
					differences = append(differences, under+": lost")
				}
			}
			for _, name := range slices.Sorted(maps.Keys(g)) {
				if _, known := w[name]; !known {
					differences = append(differences, strings.TrimPrefix(path+"."+name, ".")+": came from nowhere")
				}
			}
		case []any:
			g, ok := got.([]any)
			if !ok || len(w) != len(g) {
				differ("a list of %d became %s", len(w), text(got))
				return
			}
			for i := range w {
				walk(path+"["+strconv.Itoa(i)+"]", w[i], g[i])
			}
		case json.Number:
			g, ok := got.(json.Number)
			if a, _ := w.Float64(); ok && w != g {
				b, _ := g.Float64()
				ok = a == b
			}
			if !ok {
				differ("%s became %s", text(want), text(got))
			}
		default:
			if want != got {
				differ("%s became %s", text(want), text(got))
			}
		}
	}
	walk("", want, got)
	return differences
}

func text(value any) string {
	b, _ := json.Marshal(value)
	if len(b) > 60 {
		return string(b[:60]) + "…"
	}
	return string(b)
}
