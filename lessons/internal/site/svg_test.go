package site

import (
	"strings"
	"testing"
)

func TestDrawingOnly(t *testing.T) {
	const head, tail = `<svg xmlns="http://www.w3.org/2000/svg">`, `</svg>`
	for _, c := range []struct{ name, inside, want string }{
		{"a drawing", `<g id="a" style="fill:none"><path d="M0 0L1 1"></path></g><text>a &lt; b &amp; c</text>`, `<g id="a" style="fill:none"><path d="M0 0L1 1"></path></g><text>a &lt; b &amp; c</text>`},
		{"an empty element", `<rect width="1"/>`, `<rect width="1"></rect>`},
		{"a reference inside", `<use href="#a"/>`, `<use href="#a"></use>`},
		{"a picture inside", `<image href="data:image/png;base64,AAAA"/>`, `<image href="data:image/png;base64,AAAA"></image>`},
		{"script", `<script>alert(1)</script><rect/>`, `<rect></rect>`},
		{"script in capitals", `<SCRIPT>alert(1)</SCRIPT>`, ``},
		{"script with a prefix", `<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>`, ``},
		{"script in something left out", `<foreignObject><svg><script>1</script></svg></foreignObject><rect/>`, `<rect></rect>`},
		{"a handler", `<rect onload="alert(1)" ONCLICK="alert(1)" width="1"/>`, `<rect width="1"></rect>`},
		{"a link", `<a href="javascript:alert(1)"><text>x</text></a>`, ``},
		{"a link set later", `<set attributeName="href" to="javascript:alert(1)"/><animate/>`, ``},
		{"something from elsewhere", `<image href="https://example.org/x.png"/><use href="data:image/svg+xml;base64,AAAA"/>`, `<image></image><use></use>`},
		{"HTML by its namespace", `<g xmlns="http://www.w3.org/1999/xhtml"><iframe srcdoc="x"/></g>`, `<g></g>`},
		{"a comment and an instruction", `<!-- <rect/> --><?php x ?>`, ``},
		{"text that looks like a tag", `<text>&lt;script&gt;<![CDATA[<script>]]></text>`, `<text>&lt;script&gt;&lt;script&gt;</text>`},
	} {
		got, err := drawingOnly(head + c.inside + tail)
		if want := head + c.want + tail; err != nil || got != want {
			t.Errorf("%s:\n got %s (%v)\nwant %s", c.name, got, err, want)
		}
	}
	for _, broken := range []string{"", "no picture", "<svg>", "<svg></g>", "<svg><g></svg></g>", `<svg a=1></svg>`, "<svg>&unknown;</svg>", "<html><script>1</script></html>", "</svg>"} {
		if got, err := drawingOnly(broken); err == nil {
			t.Errorf("%q became %q", broken, got)
		}
	}
}

// What is kept is kept again, the same: the picture's name is a sum of its bytes.
func FuzzDrawingOnly(f *testing.F) {
	f.Add(`<svg xmlns="http://www.w3.org/2000/svg"><g onload="x"><a/>y</g><script>z</script></svg>`)
	f.Add(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x "y">]><svg xmlns:xlink="q" xlink:href="#a"/>`)
	f.Fuzz(func(t *testing.T, svg string) {
		once, err := drawingOnly(svg)
		if err != nil {
			return
		}
		twice, err := drawingOnly(once)
		if err != nil || once != twice {
			t.Errorf("%q became %q and then %q (%v)", svg, once, twice, err)
		}
		if strings.Contains(strings.ToLower(once), "<script") {
			t.Errorf("%q keeps a script: %q", svg, once)
		}
	})
}
