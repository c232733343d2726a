package wiring

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	kjson "sigs.k8s.io/json"

	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

// A list is decoded as a whole, and fails as a whole if one of its objects does not decode. Then the request is
// repeated in a context of tolerate, in which each object is decoded alone, and what does not decode is left out.

type tolerateKey struct{}

// tolerate returns a context in which the answers to requests with a tolerant client have
// [kinds.UndecodableAnnotation] in place of what does not decode.
func tolerate(ctx context.Context) context.Context {
	return context.WithValue(ctx, tolerateKey{}, true)
}

// mayNotDecode reports whether an error of a read may be that an object does not decode. All errors of the API server
// have a status.
func mayNotDecode(ctx context.Context, err error) bool {
	var status apierrors.APIStatus
	var unreached *url.Error
	return err != nil && ctx.Err() == nil && !errors.As(err, &status) && !errors.As(err, &unreached)
}

// tolerantClient returns the HTTP client of a manager, which heeds tolerate.
func tolerantClient(m manager.Manager) *http.Client {
	c := *m.GetHTTPClient()
	if c.Transport == nil {
		c.Transport = http.DefaultTransport
	}
	c.Transport = &decoding{c.Transport, m.GetScheme()}
	return &c
}

// tolerantReader reads from the API server.
type tolerantReader struct{ ctrlclient.Reader }

// newTolerantReader returns a reader whose lists do not fail because of single objects.
func newTolerantReader(m manager.Manager) (ctrlclient.Reader, error) {
	r, err := ctrlclient.New(m.GetConfig(), ctrlclient.Options{
		HTTPClient: tolerantClient(m), Scheme: m.GetScheme(), Mapper: m.GetRESTMapper()})
	return &tolerantReader{r}, err
}

// Get reads an object, or what can be decoded of it.
func (r *tolerantReader) Get(ctx context.Context, name ctrlclient.ObjectKey, into ctrlclient.Object, o ...ctrlclient.GetOption) error {
	err := r.Reader.Get(ctx, name, into, o...)
	if mayNotDecode(ctx, err) {
		reflect.ValueOf(into).Elem().SetZero() // it has a part
		return r.Reader.Get(tolerate(ctx), name, into, o...)
	}
	return err
}

// List lists objects, or what can be decoded of them.
func (r *tolerantReader) List(ctx context.Context, into ctrlclient.ObjectList, o ...ctrlclient.ListOption) error {
	err := r.Reader.List(ctx, into, o...)
	if mayNotDecode(ctx, err) {
		reflect.ValueOf(into).Elem().SetZero() // it has a part
		return r.Reader.List(tolerate(ctx), into, o...)
	}
	return err
}

// decoding is a transport that heeds tolerate.
type decoding struct {
	next   http.RoundTripper
	scheme *runtime.Scheme
}

// RoundTrip implements [http.RoundTripper].
func (d *decoding) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := d.next.RoundTrip(request)
	if err != nil || request.Context().Value(tolerateKey{}) == nil || response.StatusCode != http.StatusOK ||
		!strings.HasPrefix(response.Header.Get("Content-Type"), runtime.ContentTypeJSON) {
		return response, err
	}
	response.ContentLength = -1
	response.Header.Del("Content-Length")
	if request.URL.Query().Get("watch") == "true" {
		response.Body = d.events(response.Body)
		return response, nil
	}
	text, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err == nil {
		text, err = d.answer(text)
	}
	response.Body = io.NopCloser(bytes.NewReader(text))
	return response, err
}

// answer returns the answer to a get or a list with what decodes.
func (d *decoding) answer(text []byte) ([]byte, error) {
	var list map[string]json.RawMessage
	var items []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	if list["items"] == nil {
		return d.object(text), nil
	}
	if err := json.Unmarshal(list["items"], &items); err != nil {
		return nil, err
	}
	for i := range items {
		items[i] = d.object(items[i])
	}
	var err error
	if list["items"], err = json.Marshal(items); err != nil {
		return nil, err
	}
	return json.Marshal(list)
}

// events returns the events of a watch with what decodes of their objects.
func (d *decoding) events(from io.ReadCloser) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		frames := json.NewDecoder(from)
		for {
			var event struct {
				Type   watch.EventType `json:"type"`
				Object json.RawMessage `json:"object"`
			}
			err := frames.Decode(&event)
			if err == nil {
				event.Object = d.object(event.Object)
				err = json.NewEncoder(w).Encode(event)
			}
			if err != nil {
				w.CloseWithError(err)
				return
			}
		}
	}()
	return &eventBody{r, from}
}

// eventBody is the body of an answer to a watch.
type eventBody struct {
	*io.PipeReader
	from io.Closer
}

// Close ends the watch.
func (e *eventBody) Close() error { return errors.Join(e.PipeReader.Close(), e.from.Close()) }

// object returns an object as it is, or if it does not decode, its metadata with [kinds.UndecodableAnnotation] and its
// Status if that decodes.
func (d *decoding) object(text json.RawMessage) json.RawMessage {
	why := d.decode(text)
	if why == nil {
		return text
	}
	var all, metadata map[string]json.RawMessage
	var annotations map[string]string
	if json.Unmarshal(text, &all) != nil || json.Unmarshal(all["metadata"], &metadata) != nil {
		return text
	}
	if metadata["annotations"] != nil && json.Unmarshal(metadata["annotations"], &annotations) != nil {
		return text
	}
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[kinds.UndecodableAnnotation] = shortly(why)
	metadata["annotations"] = raw(annotations)
	keep := map[string]json.RawMessage{
		"apiVersion": all["apiVersion"], "kind": all["kind"], "metadata": raw(metadata), "status": all["status"]}
	if all["status"] == nil || d.decode(raw(keep)) != nil {
		delete(keep, "status")
	}
	return raw(keep)
}

// raw returns the JSON of a value that has come from JSON.
func raw(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

// decode returns why an object does not decode, or nil. It decodes as clients do.
func (d *decoding) decode(text []byte) error {
	var is metav1.TypeMeta
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, &is); err != nil {
		return err
	}
	object, err := d.scheme.New(is.GroupVersionKind())
	if err != nil {
		return nil // such as a Status; it is not cached
	}
	return kjson.UnmarshalCaseSensitivePreserveInts(text, object)
}

// shortly returns the text of an error of decode with the path of the value and without the names of Go types.
func shortly(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Sprintf("%s: found %s, expected %s", wrong.Field, wrong.Value, wrong.Type.Kind())
	}
	const most = 200
	return strings.ToValidUTF8(err.Error()[:min(len(err.Error()), most)], "")
}
