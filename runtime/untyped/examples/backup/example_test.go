package backup_test

import (
	"fmt"
	"log"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/runtime/untyped"
	"github.com/armature-dev/armature/runtime/untyped/examples/backup"
)

// An object is written at the oldest version and read at the newest, and one
// of the newest version shows itself to a client of the oldest.
func Example() {
	if err := untyped.Validate(backup.Mappings(), backup.CRD()); err != nil {
		log.Fatal(err)
	}
	convertBackup, err := untyped.MakeConvertFunction(backup.Mappings())
	if err != nil {
		log.Fatal(err)
	}
	show := func(object, desiredAPIVersion string) {
		original := untyped.Convertible{RawExtension: runtime.RawExtension{Raw: []byte(object)}}
		converted, err := convertBackup(original, desiredAPIVersion)
		if err != nil {
			log.Fatal(err)
		}
		text, err := yaml.JSONToYAML(converted.Raw)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s---\n", text)
	}

	show(`{
		"apiVersion": "storage.example.com/v1alpha1",
		"kind": "Backup",
		"metadata": {"name": "nightly"},
		"spec": {"keep": "14d", "target": "s3://vault/db"}
	}`, "storage.example.com/v1")

	show(`{
		"apiVersion": "storage.example.com/v1",
		"kind": "Backup",
		"metadata": {"name": "weekly"},
		"spec": {"keepDays": 90, "targets": [
			{"provider": "s3", "bucket": "vault", "path": "db"},
			{"provider": "gs", "bucket": "cellar", "path": "db"}
		]}
	}`, "storage.example.com/v1alpha1")

	// Output:
	// apiVersion: storage.example.com/v1
	// kind: Backup
	// metadata:
	//   name: nightly
	// spec:
	//   keepDays: 14
	//   targets:
	//   - bucket: vault
	//     path: db
	//     provider: s3
	// ---
	// apiVersion: storage.example.com/v1alpha1
	// kind: Backup
	// metadata:
	//   annotations:
	//     storage.example.com/more-targets: '[{"bucket":"cellar","path":"db","provider":"gs"}]'
	//   name: weekly
	// spec:
	//   keep: 90d
	//   target: s3://vault/db
	// ---
}
