package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
)

// notebook is what is compared of an .ipynb file.
type notebook struct {
	Cells []struct {
		Type    string   `json:"cell_type"`
		Source  lines    `json:"source"`
		Outputs []output `json:"outputs"`
	} `json:"cells"`
}

// output is one output of a cell, of a file or as a kernel publishes it.
type output struct {
	Type     string         `json:"output_type"`
	Name     string         `json:"name"`
	Text     lines          `json:"text"`
	Data     map[string]any `json:"data"`
	Metadata map[string]any `json:"metadata"`
	EName    string         `json:"ename"`
}

// lines is text that a notebook stores as one string or as a list of lines.
type lines []string

func (l *lines) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*l = lines{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(l))
}

func (l lines) String() string { return strings.Join(l, "") }

func readNotebook(file string) (*notebook, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	nb := new(notebook)
	if err := json.Unmarshal(text, nb); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return nb, nil
}

// words is what a cell put out, with a picture's alternative text in the picture's place. Whether
// lines of one stream are one output or several is the client's choice.
func words(outputs []output) string {
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

// compareFiles compares all cells of two executed notebooks.
func compareFiles(executed, name string) error {
	theirs, err := readNotebook(executed)
	if err != nil {
		return err
	}
	ours, err := readNotebook(name)
	if err != nil {
		return err
	}
	if len(theirs.Cells) != len(ours.Cells) {
		return fmt.Errorf("%d cells against %d", len(theirs.Cells), len(ours.Cells))
	}
	var differences []error
	for i, c := range ours.Cells {
		if got, want := words(theirs.Cells[i].Outputs), words(c.Outputs); got != want {
			differences = append(differences, fmt.Errorf("cell %d: %s has\n%s\n%s has\n%s", i+1, executed, got, name, want))
		}
	}
	if len(differences) == 0 {
		fmt.Printf("%s: %d cells as in the notebook\n", executed, len(ours.Cells))
	}
	return errors.Join(differences...)
}
