package kernel

import (
	"encoding/json"
)

// onIOPub takes a published message: it is for the running cell or is dropped.
func (k *Kernel) onIOPub(m *message) {
	k.mu.Lock()
	defer k.mu.Unlock()
	run := k.running
	switch {
	case m.Header.MsgType == "comm_msg": // GoNB's heartbeat may have any parent
		k.onWidget(m)
	case run == nil || m.Parent.MsgID != run.id:
	case m.Header.MsgType == "status":
		var s struct {
			ExecutionState string `json:"execution_state"`
		}
		if json.Unmarshal(m.Content, &s) == nil && s.ExecutionState == "idle" {
			closeOnce(run.idle)
		}
	case isWidgetInstall(m):
		k.openWidgets()
	default:
		run.add(m.Header.MsgType, m.Content) // what is not well formed shows nothing
		if run.flooded() {
			closeOnce(run.flood)
		}
	}
}

// closeOnce closes c; the caller holds the lock that makes this safe.
func closeOnce(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// onStdin answers an input request with an empty line, which GoNB hands to the program's stdin.
func (k *Kernel) onStdin(m *message) {
	if m.Header.MsgType == "input_request" {
		answer := newMessage(k.session, "input_reply", map[string]string{"status": "ok", "value": ""})
		answer.Parent = m.Header
		k.send(k.stdin, answer)
	}
}
