package kernel

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// widgets is the least that GoNB's widgets need of a browser, so that a cell which makes one does not wait
// for ever. GoNB displays a script that would open a comm from the browser, and waits for it three seconds
// at every widget request; a slider or a choice then waits, without end, for the script that draws it to
// send its first value. We open the comm in the first script's place, send the value with which the element
// was drawn in the second's, answer heartbeats and reads, and never touch anything. The protocol is in
// docs/FrontEndCommunication.md of GoNB, the scripts are in gonbui/widgets of the pinned version.
type widgets struct {
	commID string            // of the open comm; "" before
	drawn  map[string]string // HTML id → value, of elements that were displayed
	value  map[string]any    // address → value that the browser would hold
}

func newWidgets() widgets {
	return widgets{drawn: map[string]string{}, value: map[string]any{}}
}

const (
	widgetDisplay = "gonb_websocket_" // how the display id of the first script begins
	widgetTarget  = "gonb_comm"
	heartbeatPing = "#heartbeat/ping"
	heartbeatPong = "#heartbeat/pong"
)

var (
	sliderHTML   = regexp.MustCompile(`<input type="range" id="([^"]+)"[^>]* value="(-?\d+)"`)
	selectHTML   = regexp.MustCompile(`(?s)<select id="([^"]+)">.*?<option value="(\d+)" selected`)
	syncedScript = regexp.MustCompile(`newSyncedVariable\("([^"]+)", *(\d*)`)
	elementOf    = regexp.MustCompile(`getElementById\("([^"]+)"\)`)
)

// isWidgetInstall recognises the first script and the message that blanks it.
func isWidgetInstall(m *message) bool {
	// This test spares decoding every figure twice.
	if !strings.HasSuffix(m.Header.MsgType, "display_data") || !bytes.Contains(m.Content, []byte(widgetDisplay)) {
		return false
	}
	var d struct {
		Transient struct {
			DisplayID string `json:"display_id"`
		}
	}
	return json.Unmarshal(m.Content, &d) == nil && strings.HasPrefix(d.Transient.DisplayID, widgetDisplay)
}

// openWidgets opens the comm. Like all that follows it is called with k.mu held.
func (k *Kernel) openWidgets() {
	k.widgets.commID = newID()
	k.sendComm("comm_open", map[string]any{
		"comm_id": k.widgets.commID, "target_name": widgetTarget, "kernel_id": k.id, "data": struct{}{},
	})
}

// drawWidget sees the HTML that a cell displays.
func (k *Kernel) drawWidget(html string) {
	w := &k.widgets
	const enough = 10_000 // elements; a cell that draws for ever must not fill our memory
	if len(w.drawn) > enough || len(w.value) > enough {
		return
	}
	for _, element := range []*regexp.Regexp{sliderHTML, selectHTML} {
		for _, m := range element.FindAllStringSubmatch(html, -1) {
			w.drawn[m[1]] = m[2]
		}
	}
	for _, m := range syncedScript.FindAllStringSubmatch(html, -1) {
		address, value := m[1], m[2]
		if value == "" { // the element's value, not a literal
			if id := elementOf.FindStringSubmatch(html); id != nil {
				value = w.drawn[id[1]]
			}
		}
		if value != "" && w.commID != "" {
			w.value[address] = value
			k.sendValue(address, value)
		}
	}
}

// onWidget takes what GoNB sends to the browser.
func (k *Kernel) onWidget(m *message) {
	var c struct {
		CommID string `json:"comm_id"`
		Data   struct {
			Address string
			Value   any
			Read    bool `json:"read_request"`
		}
	}
	w := &k.widgets
	if json.Unmarshal(m.Content, &c) != nil || c.CommID != w.commID {
		return
	}
	value, known := w.value[c.Data.Address]
	switch {
	case c.Data.Address == heartbeatPing:
		k.sendValue(heartbeatPong, true)
	case c.Data.Read && known:
		k.sendValue(c.Data.Address, value)
	case known:
		w.value[c.Data.Address] = c.Data.Value
	}
}

func (k *Kernel) sendValue(address string, value any) {
	k.sendComm("comm_msg", map[string]any{
		"comm_id": k.widgets.commID, "data": map[string]any{"address": address, "value": value},
	})
}

func (k *Kernel) sendComm(msgType string, content any) {
	k.send(k.shell, newMessage(k.session, msgType, content))
}
