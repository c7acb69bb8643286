package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// server is a Jupyter server.
// Source: "The REST API" of the Jupyter Server documentation.
type server struct{ url, token string }

// ready waits until the server answers; where the image has a health check, that is its question.
func (s server) ready(ctx context.Context) error {
	for {
		code, err := s.status(ctx, "/api", "")
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

func (s server) status(ctx context.Context, path, token string) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path, nil)
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

// call sends and receives JSON; in and out may be nil.
func (s server) call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, s.url+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "token "+s.token)
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

func (s server) kernelNames(ctx context.Context) ([]string, error) {
	var specs struct{ Kernelspecs map[string]any }
	if err := s.call(ctx, http.MethodGet, "/api/kernelspecs", nil, &specs); err != nil {
		return nil, err
	}
	var names []string
	for name := range specs.Kernelspecs {
		names = append(names, name)
	}
	return names, nil
}
