package site

import (
	"encoding/xml"
	"io"
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
		{"its own colours", `<rect fill="url(#a)" style="mask:url('#m');fill:URL( &quot;#b&quot; )" clip-path="url(data:image/png;base64,AAAA)"/>`,
			`<rect fill="url(#a)" style="mask:url(&#39;#m&#39;);fill:URL( &#34;#b&#34; )" clip-path="url(data:image/png;base64,AAAA)"></rect>`},
		{"its own style", `<style>.a{fill:url(#a)}<![CDATA[ .b>.c{stroke:red}]]></style>`, `<style>.a{fill:url(#a)} .b&gt;.c{stroke:red}</style>`},
		{"a colour from elsewhere", `<rect fill="url(https://example.org/x.svg#a)" stroke="URL( '//example.org/x')" width="1"/>`, `<rect width="1"></rect>`},
		{"a background from elsewhere", `<rect style="fill:url(#a);background:url(https://example.org/x)"/>`, `<rect></rect>`},
		{"an SVG as a colour", `<rect fill="url(data:image/svg+xml;base64,AAAA)"/>`, `<rect></rect>`},
		{"a set of pictures", `<rect style="background:-webkit-image-set('https://example.org/x' 1x)"/>`, `<rect></rect>`},
		{"an address in CSS's escapes", `<rect fill="\75rl(https://example.org/x)" aria-label="the set \ the point, image(f)"/>`, `<rect aria-label="the set \ the point, image(f)"></rect>`},
		{"a style that imports", `<style>@import url("https://example.org/x.css");</style><style>@IMPORT 'x';</style><rect/>`, `<style></style><style></style><rect></rect>`},
		{"a style in pieces", `<style>@im<!-- -->po<![CDATA[rt]]> "https://example.org/x.css";</style><style>@im<g>a</g>port "x";</style>`, `<style></style><style></style>`},
		{"a style in escapes", `<style>@\69mport "x";</style>`, `<style></style>`},
		{"a font from elsewhere", `<style>@font-face{font-family:a;src:url(#a),url(https://example.org/x)}</style>`, `<style></style>`},
		{"another base", `<use xml:base="https://example.org/x.svg" href="#a" xml:space="preserve"/>`, `<use href="#a" xml:space="preserve"></use>`},
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
	f.Add(`<svg fill="url(#a)" style="fill:url(https://example.org/)"><style>@im<!-- -->port "x"; a{fill:url(x)}<g>y</g></style><g fill="\75rl(x)"/></svg>`)
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
		if address := elsewhere(t, once); address != "" {
			t.Errorf("%q keeps an address: %q in %q", svg, address, once)
		}
	})
}

// elsewhere returns the first text of a picture, of an attribute or within a style, that CSS would fetch something by.
func elsewhere(t *testing.T, svg string) string {
	suspect := func(css string) bool {
		css = strings.ToLower(css)
		for _, piece := range strings.Split(css, "url(")[1:] {
			piece = strings.TrimLeft(strings.TrimLeft(piece, " \t\r\n\f"), `"'`)
			if !strings.HasPrefix(piece, "#") && !strings.HasPrefix(piece, "data:image/") || strings.HasPrefix(piece, "data:image/svg") {
				return true
			}
		}
		return strings.Contains(css, "@import") || strings.Contains(css, `\`)
	}
	styles, text := 0, ""
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.RawToken()
		if err == io.EOF {
			return ""
		} else if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "style" {
				styles++
			}
			for _, a := range token.Attr {
				if name := strings.ToLower(a.Name.Local); !strings.HasPrefix(name, "aria-") && !strings.HasPrefix(name, "data-") && suspect(a.Value) {
					return a.Value
				}
			}
		case xml.EndElement:
			if token.Name.Local == "style" {
				styles--
			}
			if styles == 0 {
				if suspect(text) {
					return text
				}
				text = ""
			}
		case xml.CharData:
			if styles > 0 {
				text += string(token)
			}
		}
	}
}
