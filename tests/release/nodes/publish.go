package nodes

import (
	"os"

	"github.com/armature-dev/armature/internal/folder"
	"github.com/armature-dev/armature/tests/release"
	"github.com/armature-dev/armature/tools/publish/kubernetes"
)

// Publish writes what a release page has for clusters into the folder of a shell, with the program armature, and pushes
// the images to the registry. built is the folder of the release, which has its archive beside it.
func (n *Nodes) Publish(shell release.Shell, version, built, armature string) {
	n.t.Helper()
	archive, err := os.ReadFile(built + ".tar.gz")
	if err != nil {
		n.t.Fatalf("%v; run the test with ./bazelw test, which builds the release", err)
	}
	from, err := kubernetes.New(archive, n.Registry)
	if err != nil {
		n.t.Fatal(err)
	}
	files, err := from.Manifests()
	if err != nil {
		n.t.Fatal(err)
	}
	program, err := os.ReadFile(armature)
	if err != nil {
		n.t.Fatal(err)
	}
	files["kubernetes.tar.gz"] = archive
	files["linux-amd64.tar.gz"], err = folder.Archive("", folder.Files{"armature": program}, map[string]bool{"armature": true})
	if err != nil {
		n.t.Fatal(err)
	}
	for name, text := range files {
		shell.Add(n.t, "armature-"+version+"-"+name, text)
	}
	read := release.Read(n.t, built)
	for repository, layout := range map[string]string{"armature-webhook": release.Webhook, "armature-operator": release.Operator} {
		index, _ := read.Index(n.t, layout)
		n.Push(repository, index)
	}
}
