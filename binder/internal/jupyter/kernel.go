package jupyter

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

// Kernel is the kernel of an opened notebook, over the server's websocket.
// Source: "Messaging in Jupyter", version 5.4; the server adds the channel's name.
type Kernel struct {
	server  Server
	session string // of the server, to be closed
	id      string // of the kernel
	socket  *websocket.Conn
	inbox   chan message // closed when the connection ends
	count   int
}

// ErrLost is returned by a request whose connection ends; the kernel may be there still.
var ErrLost = errors.New("the connection to the kernel has ended")

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

// OpenNotebook starts a session and waits until its kernel has answered.
func (s Server) OpenNotebook(ctx context.Context, path string) (*Kernel, error) {
	var session struct {
		ID     string
		Kernel struct{ ID string }
	}
	err := s.Call(ctx, http.MethodPost, "/api/sessions", map[string]any{
		"path": path, "name": path, "type": "notebook", "kernel": map[string]string{"name": "gonb"},
	}, &session)
	if err != nil {
		return nil, err
	}
	k := &Kernel{server: s, session: session.ID, id: session.Kernel.ID}
	if err := k.Connect(ctx); err != nil {
		return nil, errors.Join(err, k.Close(ctx))
	}
	return k, nil
}

// Connect connects to the kernel and waits until it has answered; again, after [ErrLost]. The connection lasts as long as ctx.
func (k *Kernel) Connect(ctx context.Context) error {
	var err error
	k.socket, _, err = websocket.Dial(ctx, "ws"+strings.TrimPrefix(k.server.URL, "http")+"/api/kernels/"+k.id+"/channels?session_id=client",
		&websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"token " + k.server.Token}}})
	if err != nil {
		return err
	}
	k.socket.SetReadLimit(64 << 20)
	k.inbox = make(chan message, 256) // read between requests, too: a reader answers the server's pings
	go receive(ctx, k.socket, k.inbox)
	return k.greet(ctx)
}

func receive(ctx context.Context, socket *websocket.Conn, inbox chan<- message) {
	defer close(inbox)
	for {
		var m message
		if wsjson.Read(ctx, socket, &m) != nil {
			return
		}
		select {
		case inbox <- m:
		case <-ctx.Done():
			return
		}
	}
}

// greet asks until what the kernel publishes reaches us: what it published before the server
// listened to it is lost.
func (k *Kernel) greet(ctx context.Context) error {
	for {
		try, cancel := context.WithTimeout(ctx, 2*time.Second)
		err := k.request(try, "kernel_info_request", map[string]any{}, func(message) error { return nil })
		cancel()
		if err == nil || !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return err
		}
	}
}

// Close ends the session and its kernel.
func (k *Kernel) Close(ctx context.Context) error {
	if k.socket != nil {
		k.socket.Close(websocket.StatusNormalClosure, "")
	}
	return k.server.Call(ctx, http.MethodDelete, "/api/sessions/"+k.session, nil, nil)
}

// request sends a request and hands every message that answers it to on, until the reply and
// the kernel's idle status are there.
func (k *Kernel) request(ctx context.Context, kind string, content any, on func(message) error) error {
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
				return ErrLost
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

// Execute runs a cell and returns its outputs as a notebook stores them.
func (k *Kernel) Execute(ctx context.Context, code string) ([]Output, error) {
	var outputs []Output
	err := k.request(ctx, "execute_request", map[string]any{
		"code": code, "silent": false, "store_history": true, "user_expressions": map[string]any{},
		"allow_stdin": false, "stop_on_error": true,
	}, func(m message) error {
		switch m.Header.Type {
		case "stream", "display_data", "execute_result", "error":
		default:
			return nil
		}
		o := Output{Type: m.Header.Type}
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

// Complete returns the number of ways in which the kernel completes code at its end.
func (k *Kernel) Complete(ctx context.Context, code string) (int, error) {
	var reply struct{ Matches []string }
	err := k.request(ctx, "complete_request", map[string]any{"code": code, "cursor_pos": len(code)}, func(m message) error {
		if m.Channel != "shell" {
			return nil
		}
		return json.Unmarshal(m.Content, &reply)
	})
	return len(reply.Matches), err
}
