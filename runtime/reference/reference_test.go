package reference

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func TestSecretMetadata(t *testing.T) {
	for _, test := range []struct {
		behavior, text string
		want           SecretMetadata
	}{
		{"what is known", `{"annotations":{"a":"b"},"labels":{},"type":"Opaque"}`,
			SecretMetadata{Type: "Opaque", Labels: map[string]string{}, Annotations: map[string]string{"a": "b"}}},
		{"what is unknown stays, also in another case", `{"Labels":{"a":"b"},"lables":null,"type":"Opaque"}`,
			SecretMetadata{Type: "Opaque", Unknown: map[string]apiextensionsv1.JSON{
				"Labels": {Raw: []byte(`{"a":"b"}`)}, "lables": {}}}},
		{"nothing", `{}`, SecretMetadata{}},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			got := SecretMetadata{Type: "old", Labels: map[string]string{"old": ""}}
			if err := json.Unmarshal([]byte(test.text), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			text, err := json.Marshal(map[string]SecretMetadata{"s": got})
			if err != nil || string(text) != `{"s":`+test.text+`}` {
				t.Errorf("%v: it becomes %s", err, text)
			}
		})
	}
	t.Run("null is nothing", func(t *testing.T) {
		var got SecretMetadata
		if err := json.Unmarshal([]byte(`{"type":null,"labels":null}`), &got); err != nil || !cmp.Equal(got, SecretMetadata{}) {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("another type is an error with the property", func(t *testing.T) {
		err := json.Unmarshal([]byte(`{"s":{"labels":{"a":1}}}`), &map[string]SecretMetadata{})
		if err == nil || !strings.Contains(err.Error(), "labels: ") {
			t.Errorf("got %v", err)
		}
	})
}
