package plots

import (
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
	width, height := f.Size()
	if len(f.Panels) != 2 || f.Panels[0][0] != top.Plot || f.Panels[1][0] != below.Plot ||
		len(f.Legend) != len(top.Legend)+len(below.Legend) ||
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
