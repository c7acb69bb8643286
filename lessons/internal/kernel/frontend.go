package kernel

import (
	"encoding/json"
)

// onIOPub takes a published message: it is for the running cell or is dropped.
func (k *Kernel) onIOPub(m *message) {
	k.mu.Lock()
	defer k.mu.Unlock()
	run := k.running
	if m.Header.MsgType == "comm_msg" { // GoNB's heartbeat may have any parent
		k.onWidget(m)
		return
	}
	if run == nil || m.Parent.MsgID != run.id {
		if m.Header.MsgType != "status" { // of our own small requests
			k.ignored.Add(1)
		}
		return
	}
	if run.seen != nil {
		select {
		case <-run.seen:
		default:
			close(run.seen)
		}
	}
	if run.idle == nil {
		return
	}
	if m.Header.MsgType == "status" {
		var s struct {
			ExecutionState string `json:"execution_state"`
		}
		if json.Unmarshal(m.Content, &s) == nil && s.ExecutionState == "idle" {
			closeOnce(run.idle)
		}
		return
	}
	if isWidgetInstall(m) {
		k.openWidgets()
		return
	}
	known, err := run.add(m.Header.MsgType, m.Content)
	if err != nil || !known && m.Header.MsgType != "execute_input" {
		k.ignored.Add(1)
	}
	if run.flooded() {
		closeOnce(run.flood)
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

// onStdin answers an input request with an empty line,
// which GoNB hands to the program's stdin.
func (k *Kernel) onStdin(m *message) {
	if m.Header.MsgType != "input_request" {
		k.ignored.Add(1)
		return
	}
	var c struct{ Prompt string }
	json.Unmarshal(m.Content, &c)
	k.mu.Lock()
	const enough = 1000 // a cell that asks for ever is stopped by its time
	if run := k.running; run != nil && m.Parent.MsgID == run.id && len(run.inputs) < enough {
		run.inputs = append(run.inputs, c.Prompt)
	}
	k.mu.Unlock()
	answer, err := newMessage(k.session, "input_reply", map[string]string{"status": "ok", "value": ""})
	if err != nil {
		return
	}
	answer.Parent = m.Header
	k.send(k.stdin, answer)
}
