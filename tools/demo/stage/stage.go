// Package stage is where the demo and the walk through the docs take place: an API server with
// etcd, a stand-in for ARM, and the webhook and the operator of some groups as processes, all on
// loopback. Its main type is [Stage].
package stage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/tools/controlplane"
)

// Subscription is the one in which operators create resource groups.
const Subscription = "00000000-0000-0000-0000-000000000000"

// Stage holds everything that runs.
type Stage struct {
	*controlplane.ControlPlane
	// Folder has all temporary files.
	Folder string
	// ARM is the stand-in, and ARMURL where it listens.
	ARM    *armtest.Server
	ARMURL string

	seen       int // how many requests to ARM were shown
	conversion *apiextensionsv1.CustomResourceConversion
	stops      []func() error
}

// room is an upper bound of what etcd and the rest write, in bytes.
const room = 300 << 20

// New makes the folder of all temporary files, and points TMPDIR there for etcd and the API
// server. The stage that it returns must be stopped even if it returns an error.
func New() (*Stage, error) {
	s := &Stage{}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(os.TempDir(), &disk); err != nil {
		return s, fmt.Errorf("%s: %w", os.TempDir(), err)
	}
	if free := disk.Bavail * uint64(disk.Bsize); free < room {
		return s, fmt.Errorf("%s has %d MB free, and etcd needs %d: make room, or name another folder by TMPDIR", os.TempDir(),
			free>>20, room>>20)
	}
	var err error
	if s.Folder, err = os.MkdirTemp("", "armature-demo-"); err != nil {
		return s, err
	}
	s.stops = append(s.stops, func() error { return os.RemoveAll(s.Folder) })
	return s, os.Setenv("TMPDIR", s.Folder)
}

// Stop stops everything, in the reverse order of its start.
func (s *Stage) Stop() error {
	var errs []error
	for len(s.stops) > 0 {
		last := len(s.stops) - 1
		errs = append(errs, s.stops[last]())
		s.stops = s.stops[:last]
	}
	return errors.Join(errs...)
}

// Background calls run with a context that ends when the stage is stopped.
func (s *Stage) Background(run func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	s.stops = append(s.stops, func() error { cancel(); return <-done })
}

// StartControlPlane starts the API server and etcd, at any free port if port is 0, and puts
// kubectl into a folder bin of the stage.
func (s *Stage) StartControlPlane(binaries string, port int) (err error) {
	if binaries, err = filepath.Abs(binaries); err != nil {
		return err
	}
	s.ControlPlane, err = controlplane.Start(controlplane.Options{Binaries: binaries, Port: port})
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("port %d is in use: choose another by --port, or leave that out for any free one", port)
	}
	if err != nil {
		return err
	}
	s.stops = append(s.stops, s.ControlPlane.Stop)
	return errors.Join(os.WriteFile(s.Kubeconfig(), s.ControlPlane.Kubeconfig, 0o600), os.Mkdir(s.Bin(), 0o755),
		os.Symlink(filepath.Join(binaries, "kubectl"), filepath.Join(s.Bin(), "kubectl")))
}

// Kubeconfig returns the name of the file by which kubectl finds the API server.
func (s *Stage) Kubeconfig() string { return filepath.Join(s.Folder, "kubeconfig") }

// Bin returns the folder that has kubectl.
func (s *Stage) Bin() string { return filepath.Join(s.Folder, "bin") }

// StartARM starts the stand-in for ARM with the facts and specs in a folder.
func (s *Stage) StartARM(specs string) (err error) {
	if s.ARM, err = armtest.New(os.DirFS(specs)); err != nil {
		return err
	}
	s.stops = append(s.stops, s.ARM.Close)
	s.ARMURL, err = s.ARM.Listen("127.0.0.1:0")
	return err
}

// NewRequests returns the requests to ARM since the last call.
func (s *Stage) NewRequests() []armtest.Request {
	all := s.ARM.Requests()[s.seen:]
	s.seen += len(all)
	return all
}

// NextRequest returns the first request to ARM that was not returned yet.
func (s *Stage) NextRequest() (r armtest.Request, found bool) {
	all := s.ARM.Requests()
	if s.seen == len(all) {
		return r, false
	}
	s.seen++
	return all[s.seen-1], true
}

// ConvertAt says where the webhook is that CRDs are installed with.
func (s *Stage) ConvertAt(address string) { s.conversion = controlplane.ConversionAt(address, s.CA) }

// Install installs what groups have in the folders that their targets crds make: the CRDs, and
// then the admission policies, which are in force when it returns.
func (s *Stage) Install(ctx context.Context, folders ...string) error {
	all := map[string][]*apiextensionsv1.CustomResourceDefinition{}
	for _, folder := range folders {
		crds, err := controlplane.ReadCRDs(folder)
		if err != nil {
			return err
		}
		for _, crd := range crds {
			crd.Labels = map[string]string{"app.kubernetes.io/part-of": "armature"} // as in a release
		}
		if err := s.ControlPlane.Install(ctx, s.conversion, crds...); err != nil {
			return err
		}
		all[folder] = crds
	}
	for _, folder := range folders {
		if err := s.InstallPolicies(ctx, folder, all[folder][0].Name); err != nil {
			return err
		}
	}
	return nil
}
