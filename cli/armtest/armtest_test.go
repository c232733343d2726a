package armtest

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestStandIn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	command := New()
	command.SetArgs([]string{"../../apis/cache/specs", "--listen=127.0.0.1:0"})
	command.SetOut(in)
	ended := make(chan error, 1)
	go func() { ended <- command.ExecuteContext(ctx) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	url, isURL := strings.CutPrefix(strings.TrimSpace(line), "listening at ")
	if err != nil || !isURL {
		t.Fatalf("got %q, %v", line, err)
	}
	const id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Cache/redis/"
	for body, status := range map[string]int{
		`{"location":"westeurope","properties":{"sku":{"name":"Basic","family":"C","capacity":0}}}`: http.StatusCreated,
		`{"location":"westeurope","properties":{"sku":{"name":"Basic"}}}`:                           http.StatusBadRequest,
	} {
		request, err := http.NewRequest(http.MethodPut, url+id+"sessions?api-version=2020-06-01", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != status {
			t.Errorf("%s: got %d, want %d", body, response.StatusCode, status)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
