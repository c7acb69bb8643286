package plots

import (
	"slices"
	"testing"
)

func TestStackKeepsEveryPlotAndItsWords(t *testing.T) {
	top, err := Landscape(valley())
	if err != nil {
		t.Fatal(err)
	}
	below, err := Landscape(street())
	if err != nil {
		t.Fatal(err)
	}
	f, err := Stack(top, below)
	if err != nil {
		t.Fatal(err)
	}
	var names, want []string // each name once, in the order of the legends
	for _, e := range slices.Concat(top.Legend, below.Legend) {
		if !slices.Contains(want, e.Name) {
			want = append(want, e.Name)
		}
	}
	for _, e := range f.Legend {
		names = append(names, e.Name)
	}
	if !slices.Equal(names, want) || len(want) <= len(top.Legend) {
		t.Errorf("the legend names %q, want %q", names, want)
	}
	width, height := f.Size()
	if len(f.Panels) != 2 || f.Panels[0][0] != top.Plot || f.Panels[1][0] != below.Plot ||
		!f.EqualUnits || width != top.Width || height != top.Height+below.Height {
		t.Errorf("%d panels, %d entries, %v by %v", len(f.Panels), len(f.Legend), width, height)
	}
	if want := top.Caption + " " + below.Caption; f.Caption != want {
		t.Errorf("%q, want %q", f.Caption, want)
	}
	if want := top.Alt + " Below it: " + below.Alt; f.Alt != want {
		t.Errorf("%q, want %q", f.Alt, want)
	}
	if _, err := f.PNG(); err != nil {
		t.Error(err)
	}
	other := *below
	other.EqualUnits = false
	bare := *below
	bare.Caption = ""
	high := *below
	high.Height = maxSide
	for name, figures := range map[string][]*Figure{"none": nil, "one": {top}, "nil": {top, nil},
		"panels": {f, top}, "units": {top, &other}, "no caption": {top, &bare},
		"too high": {top, &high}} {
		if f, err := Stack(figures...); !isParam(err) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}
