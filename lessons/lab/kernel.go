//go:build !js && !nofigures

package lab

import (
	"encoding/gob"
	"fmt"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

func init() { gob.Register(map[string]any{}) } // GoNB's pipe is gob: metadata is nested maps

// flush waits until the kernel has all outputs.
func flush() { gonbui.Sync() }

// display sends one output, by media type, and waits until the kernel has received it. Without the wait an
// output is sometimes lost when the cell's process ends.
func display(data, metadata map[string]any) {
	if !gonbui.IsNotebook {
		fmt.Fprintln(out, data["text/plain"])
		return
	}
	typed := map[protocol.MIMEType]any{}
	for mime, content := range data {
		typed[protocol.MIMEType(mime)] = content
	}
	gonbui.SendData(&protocol.DisplayData{Data: typed, Metadata: metadata})
	flush()
	if err := gonbui.Error(); err != nil {
		fall("the output reaches the notebook", err.Error())
	}
}
