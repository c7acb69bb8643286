package jupyter

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Server is a Jupyter server, with the token by which it knows a user.
// Source: "The REST API" of the Jupyter Server documentation.
type Server struct{ URL, Token string }

// Ready waits until the server answers; where the image has a health check, that is its question.
func (s Server) Ready(ctx context.Context) error {
	for {
		code, err := s.Status(ctx, "/api", "")
		if err == nil && code == http.StatusOK {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer: %d, %v", code, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Status returns the code of the answer to GET. An empty token asks as a stranger.
func (s Server) Status(ctx context.Context, path, token string) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+path, nil)
	if err != nil {
		return 0, err
	}
	if token != "" {
		request.Header.Set("Authorization", "token "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

// Call sends and receives JSON; in and out may be nil.
func (s Server) Call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, s.URL+path, body)
	if err != nil {
		return err
	}
	if s.Token != "" {
		request.Header.Set("Authorization", "token "+s.Token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s: %s", method, path, response.Status, text[:min(len(text), 200)])
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(text, out)
}

// KernelNames returns the names of the server's kernels.
func (s Server) KernelNames(ctx context.Context) ([]string, error) {
	var specs struct{ Kernelspecs map[string]any }
	if err := s.Call(ctx, http.MethodGet, "/api/kernelspecs", nil, &specs); err != nil {
		return nil, err
	}
	var names []string
	for name := range specs.Kernelspecs {
		names = append(names, name)
	}
	return names, nil
}
