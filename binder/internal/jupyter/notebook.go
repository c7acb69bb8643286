// Package jupyter is a client of Jupyter's REST and websocket API, and reads notebooks.
package jupyter

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Notebook is what is compared of an .ipynb file.
type Notebook struct {
	Cells []struct {
		Type    string   `json:"cell_type"`
		Source  Lines    `json:"source"`
		Outputs []Output `json:"outputs"`
	} `json:"cells"`
}

// Output is one output of a cell, of a file or as a kernel publishes it.
type Output struct {
	Type     string         `json:"output_type"`
	Name     string         `json:"name"`
	Text     Lines          `json:"text"`
	Data     map[string]any `json:"data"`
	Metadata map[string]any `json:"metadata"`
	EName    string         `json:"ename"`
}

// Lines is text that a notebook stores as one string or as a list of lines.
type Lines []string

func (l *Lines) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*l = Lines{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(l))
}

func (l Lines) String() string { return strings.Join(l, "") }

// ReadNotebook reads an .ipynb file.
func ReadNotebook(file string) (*Notebook, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	nb := new(Notebook)
	if err := json.Unmarshal(text, nb); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return nb, nil
}

// Words is what a cell put out, with a picture's alternative text in the picture's place. Whether
// lines of one stream are one output or several is the client's choice.
func Words(outputs []Output) string {
	var b strings.Builder
	for i, o := range outputs {
		switch o.Type {
		case "stream":
			if i == 0 || outputs[i-1].Type != "stream" || outputs[i-1].Name != o.Name {
				fmt.Fprintf(&b, "%s: ", o.Name)
			}
			b.WriteString(o.Text.String())
		case "error":
			fmt.Fprintf(&b, "error: %s\n", o.EName)
		default:
			fmt.Fprintf(&b, "%s: %v %v\n", o.Type, plain(o.Data["text/plain"]), o.Metadata["svmkit"])
		}
	}
	return b.String()
}

func plain(text any) string {
	if list, ok := text.([]any); ok {
		var b strings.Builder
		for _, line := range list {
			fmt.Fprint(&b, line)
		}
		return b.String()
	}
	return fmt.Sprint(text)
}
