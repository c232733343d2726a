// Package armtest is a stand-in for the Azure Resource Manager (ARM), for tests
// and demonstrations: an HTTP server that takes resources at the API versions
// that specs describe. Its main type is [Server].
//
// It refuses a request whose body does not satisfy the spec of the API version
// in the URL, with an error as ARM sends it, keeps what it takes in memory, and
// remembers every request. There is no authentication, nothing takes time, and
// the parents of resources need not exist.
package armtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxBody is the number of bytes of a request that are read.
const maxBody = 16 << 20

// Request is a request that came, and its answer.
type Request struct {
	Method     string
	ID         string // of the resource
	APIVersion string
	Body       json.RawMessage
	Status     int // of HTTP
}

// Server is a stand-in for ARM. It is an [http.Handler]; [Server.Listen] lets
// it serve on an address of its own.
type Server struct {
	specs *specs

	mutex     sync.Mutex
	requests  []Request
	resources map[string]map[string]any // by id in lower case

	server *http.Server
	done   chan struct{}
}

// New returns a Server for the resources of all Swagger documents in a folder.
// Files in folders called examples are none.
func New(folder fs.FS) (*Server, error) {
	specs, err := readSpecs(folder)
	if err != nil {
		return nil, err
	}
	return &Server{specs: specs, resources: map[string]map[string]any{}}, nil
}

// Listen serves on an address, such as "127.0.0.1:0" for any free port, until
// [Server.Close], and returns the URL.
func (s *Server) Listen(address string) (url string, err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return "", err
	}
	s.server, s.done = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}, make(chan struct{})
	go func() {
		defer close(s.done)
		s.server.Serve(listener) // ends when it is closed
	}()
	return "http://" + listener.Addr().String(), nil
}

// Close ends what Listen began.
func (s *Server) Close() error {
	if s.server == nil {
		return nil
	}
	err := s.server.Close()
	<-s.done
	return err
}

// Requests returns what came, in order, refused requests included.
func (s *Server) Requests() []Request {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.requests)
}

// Resource returns the last body that was taken for an id, and false if there
// is no such resource.
func (s *Server) Resource(id string) (json.RawMessage, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	resource, found := s.resources[strings.ToLower(id)]
	if !found {
		return nil, false
	}
	return encode(resource), true
}

// answer is the response to a request.
type answer struct {
	status int
	body   any // nil for none
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var a answer
	if err != nil {
		a = refuse(http.StatusRequestEntityTooLarge, "RequestContentTooLarge", err.Error())
	} else {
		a = s.answer(r, body)
	}
	s.mutex.Lock()
	s.requests = append(s.requests, Request{r.Method, r.URL.Path, r.URL.Query().Get("api-version"), body, a.status})
	s.mutex.Unlock()
	if a.body == nil {
		w.WriteHeader(a.status)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(a.status)
	w.Write(encode(a.body)) // the client may be gone
}

func (s *Server) answer(r *http.Request, body []byte) answer {
	id, version := strings.TrimSuffix(r.URL.Path, "/"), r.URL.Query().Get("api-version")
	if version == "" {
		return refuse(http.StatusBadRequest, "MissingApiVersionParameter", "The api-version query parameter (?api-version=) is required for all requests.")
	}
	op, err := s.specs.find(id, version)
	if err != nil {
		return refuse(http.StatusBadRequest, "NoRegisteredProviderFound", err.Error())
	}
	switch r.Method {
	case http.MethodPut:
		return s.put(op, id, body)
	case http.MethodGet:
		return s.get(id)
	case http.MethodDelete:
		return s.delete(id)
	}
	return refuse(http.StatusMethodNotAllowed, "MethodNotAllowed", fmt.Sprintf("found %s, expected PUT, GET or DELETE", r.Method))
}

func (s *Server) put(op *operation, id string, body []byte) answer {
	value, err := decode(body)
	if err != nil {
		return refuse(http.StatusBadRequest, "InvalidRequestContent", "The request content was invalid and could not be deserialized: "+err.Error())
	}
	faults, err := op.validate(value)
	if err != nil {
		return refuse(http.StatusInternalServerError, "InvalidSpec", err.Error())
	}
	if len(faults) > 0 {
		return refuse(http.StatusBadRequest, "InvalidRequestContent", "The request content does not satisfy the API version "+op.version+".", faults...)
	}
	resource := maps.Clone(value.(map[string]any))
	resource["id"], resource["name"], resource["type"] = id, id[strings.LastIndexByte(id, '/')+1:], op.armType
	s.mutex.Lock()
	defer s.mutex.Unlock()
	status := http.StatusCreated
	if s.resources[strings.ToLower(id)] != nil {
		status = http.StatusOK
	}
	s.resources[strings.ToLower(id)] = resource
	return answer{status, resource}
}

func (s *Server) get(id string) answer {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if resource := s.resources[strings.ToLower(id)]; resource != nil {
		return answer{http.StatusOK, resource}
	}
	return refuse(http.StatusNotFound, "ResourceNotFound", fmt.Sprintf("The resource %q was not found.", id))
}

// delete removes a resource with its children.
func (s *Server) delete(id string) answer {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	id = strings.ToLower(id)
	if s.resources[id] == nil {
		return answer{status: http.StatusNoContent}
	}
	maps.DeleteFunc(s.resources, func(other string, _ map[string]any) bool {
		return other == id || strings.HasPrefix(other, id+"/")
	})
	return answer{status: http.StatusOK}
}

// fault is one thing that is wrong with a body.
type fault struct {
	Code    string `json:"code"`
	Target  string `json:"target"`
	Message string `json:"message"`
}

// refuse returns an error in ARM's shape.
func refuse(status int, code, message string, faults ...fault) answer {
	type armError struct {
		Code    string  `json:"code"`
		Message string  `json:"message"`
		Details []fault `json:"details,omitempty"`
	}
	return answer{status, map[string]armError{"error": {code, message, faults}}}
}

// decode reads a JSON object, numbers as they are written.
func decode(body []byte) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	var value map[string]any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	if value == nil {
		return nil, errors.New("found null, expected an object")
	}
	return value, nil
}

func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it was JSON before
	}
	return text
}
