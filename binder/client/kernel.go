package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// kernel is the kernel of an opened notebook, over the server's websocket.
// Source: "Messaging in Jupyter", version 5.4; the server adds the channel's name.
type kernel struct {
	server  server
	session string // of the server, to be closed
	socket  *websocket.Conn
	inbox   chan message // closed when the connection ends
	count   int
}

type message struct {
	Channel  string          `json:"channel"`
	Header   header          `json:"header"`
	Parent   header          `json:"parent_header"`
	Metadata map[string]any  `json:"metadata"`
	Content  json.RawMessage `json:"content"`
}

type header struct {
	ID       string `json:"msg_id,omitempty"`
	Type     string `json:"msg_type,omitempty"`
	Session  string `json:"session,omitempty"`
	Username string `json:"username"`
	Version  string `json:"version,omitempty"`
}

// openNotebook starts a session and waits until its kernel has answered.
func (s server) openNotebook(ctx context.Context, path string) (*kernel, error) {
	var session struct {
		ID     string
		Kernel struct{ ID string }
	}
	err := s.call(ctx, http.MethodPost, "/api/sessions", map[string]any{
		"path": path, "name": path, "type": "notebook", "kernel": map[string]string{"name": "gonb"},
	}, &session)
	if err != nil {
		return nil, err
	}
	k := &kernel{server: s, session: session.ID}
	k.socket, _, err = websocket.Dial(ctx, "ws"+strings.TrimPrefix(s.url, "http")+"/api/kernels/"+session.Kernel.ID+"/channels?session_id=client",
		&websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"token " + s.token}}})
	if err != nil {
		return nil, errors.Join(err, k.close(ctx))
	}
	k.socket.SetReadLimit(64 << 20)
	k.inbox = make(chan message)
	go k.receive(ctx)
	if err := k.greet(ctx); err != nil {
		return nil, errors.Join(err, k.close(ctx))
	}
	return k, nil
}

func (k *kernel) receive(ctx context.Context) {
	defer close(k.inbox)
	for {
		var m message
		if wsjson.Read(ctx, k.socket, &m) != nil {
			return
		}
		select {
		case k.inbox <- m:
		case <-ctx.Done():
			return
		}
	}
}

// greet asks until what the kernel publishes reaches us: what it published before the server
// listened to it is lost.
func (k *kernel) greet(ctx context.Context) error {
	for {
		try, cancel := context.WithTimeout(ctx, 2*time.Second)
		err := k.request(try, "kernel_info_request", map[string]any{}, func(message) error { return nil })
		cancel()
		if err == nil || !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return err
		}
	}
}

func (k *kernel) close(ctx context.Context) error {
	if k.socket != nil {
		k.socket.Close(websocket.StatusNormalClosure, "")
	}
	return k.server.call(ctx, http.MethodDelete, "/api/sessions/"+k.session, nil, nil)
}

// request sends a request and hands every message that answers it to on, until the reply and
// the kernel's idle status are there.
func (k *kernel) request(ctx context.Context, kind string, content any, on func(message) error) error {
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	k.count++
	id := fmt.Sprintf("client-%d", k.count)
	err = wsjson.Write(ctx, k.socket, message{Channel: "shell", Metadata: map[string]any{}, Content: text,
		Header: header{ID: id, Type: kind, Session: "client", Username: "client", Version: "5.4"}})
	if err != nil {
		return err
	}
	for replied, idle := false, false; !replied || !idle; {
		var m message
		select {
		case <-ctx.Done():
			return ctx.Err()
		case received, ok := <-k.inbox:
			if !ok {
				return errors.New("the connection to the kernel has ended")
			}
			m = received
		}
		if m.Parent.ID != id {
			continue
		}
		switch {
		case m.Channel == "shell":
			replied = true
		case m.Header.Type == "status":
			var status struct {
				State string `json:"execution_state"`
			}
			if err := json.Unmarshal(m.Content, &status); err != nil {
				return err
			}
			idle = idle || status.State == "idle"
		}
		if err := on(m); err != nil {
			return err
		}
	}
	return nil
}

// execute runs a cell and returns its outputs as a notebook stores them.
func (k *kernel) execute(ctx context.Context, code string) ([]output, error) {
	var outputs []output
	err := k.request(ctx, "execute_request", map[string]any{
		"code": code, "silent": false, "store_history": true, "user_expressions": map[string]any{},
		"allow_stdin": false, "stop_on_error": true,
	}, func(m message) error {
		switch m.Header.Type {
		case "stream", "display_data", "execute_result", "error":
		default:
			return nil
		}
		o := output{Type: m.Header.Type}
		if err := json.Unmarshal(m.Content, &o); err != nil {
			return err
		}
		if n := len(outputs); o.Type == "stream" && n > 0 && outputs[n-1].Type == "stream" && outputs[n-1].Name == o.Name {
			outputs[n-1].Text = append(outputs[n-1].Text, o.Text...)
			return nil
		}
		outputs = append(outputs, o)
		return nil
	})
	return outputs, err
}

// complete returns the number of ways in which the kernel completes code at its end.
func (k *kernel) complete(ctx context.Context, code string) (int, error) {
	var reply struct{ Matches []string }
	err := k.request(ctx, "complete_request", map[string]any{"code": code, "cursor_pos": len(code)}, func(m message) error {
		if m.Channel != "shell" {
			return nil
		}
		return json.Unmarshal(m.Content, &reply)
	})
	return len(reply.Matches), err
}
