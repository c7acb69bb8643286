package site

import (
	"bytes"
	"encoding/xml"
	"image"
	"image/color"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

func TestDrawingOnly(t *testing.T) {
	const head, tail = `<svg xmlns="http://www.w3.org/2000/svg">`, `</svg>`
	for _, c := range []struct{ name, inside, want string }{
		{"a drawing", `<g id="a" style="fill:none"><path d="M0 0L1 1"></path></g><text>a &lt; b &amp; c</text>`, `<g id="a" style="fill:none"><path d="M0 0L1 1"></path></g><text>a &lt; b &amp; c</text>`},
		{"an empty element", `<rect width="1"/>`, `<rect width="1"></rect>`},
		{"a reference inside", `<path id="a"/><use href="#a"/>`, `<path id="a"></path><use href="#a"></use>`},
		{"a reference in SVG 1.1", `<path id="a"/><use xlink:href="#a"/>`, `<path id="a"></path><use href="#a"></use>`},
		{"groups that repeat groups", `<g id="a"><use href="#b"/><use href="#b"/></g><g id="b"><use href="#c"/></g><path id="b"/><path id="c"/>`,
			`<g id="a"><use></use><use></use></g><g id="b"><use href="#c"></use></g><path id="b"></path><path id="c"></path>`},
		{"a picture inside", `<image href="data:image/png;base64,AAAA"/>`, `<image href="data:image/png;base64,AAAA"></image>`},
		{"script", `<script>alert(1)</script><rect/>`, `<rect></rect>`},
		{"script in capitals", `<SCRIPT>alert(1)</SCRIPT>`, ``},
		{"script with a prefix", `<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>`, ``},
		{"script in something left out", `<foreignObject><svg><script>1</script></svg></foreignObject><rect/>`, `<rect></rect>`},
		{"a handler", `<rect onload="alert(1)" ONCLICK="alert(1)" width="1"/>`, `<rect width="1"></rect>`},
		{"a link", `<a href="javascript:alert(1)"><text>x</text></a>`, ``},
		{"a link set later", `<set attributeName="href" to="javascript:alert(1)"/><animate/>`, ``},
		{"something from elsewhere", `<image href="https://example.org/x.png"/><use href="data:image/svg+xml;base64,AAAA"/>`, `<image></image><use></use>`},
		{"its own colours", `<rect fill="url(#a)" style="clip-path:url('#m');fill:URL( &quot;#b&quot; )" clip-path="url(data:image/png;base64,AAAA)"/>`,
			`<rect fill="url(#a)" style="clip-path:url(&#39;#m&#39;);fill:URL( &#34;#b&#34; )"></rect>`},
		{"its own style", `<style>.a{fill:url(#a)}<![CDATA[ .b>.c{stroke:red}]]></style>`, `<style>.a{fill:url(#a)} .b&gt;.c{stroke:red}</style>`},
		{"a colour from elsewhere", `<rect fill="url(https://example.org/x.svg#a)" stroke="URL( '//example.org/x')" width="1"/>`, `<rect width="1"></rect>`},
		{"a background from elsewhere", `<rect style="fill:url(#a);background:url(https://example.org/x)"/>`, `<rect style="fill:url(#a)"></rect>`},
		{"a set, its own first", `<rect style="background-image:image-set('data:image/png;base64,AAAA' 3x,'https://example.org/x' 1x);fill:red"/>`, `<rect style="fill:red"></rect>`},
		{"a set as a colour", `<rect fill="image-set('data:image/png;base64,AAAA' 3x,'https://example.org/x' 1x)"/>`, `<rect></rect>`},
		{"a mask from elsewhere", `<rect style="mask-image:url(https://example.org/x)" mask="url(#a)"/>`, `<rect></rect>`},
		{"a cross-fade", `<rect style="fill:cross-fade(url(#a),url(https://example.org/x))"/>`, `<rect></rect>`},
		{"a clip and then an address", `<rect clip-path="url(#a) url(https://example.org/x)"/>`, `<rect></rect>`},
		{"an address in a comment's place", `<rect fill="u/**/rl(https://example.org/x)" cursor="url(https://example.org/x),auto"/>`, `<rect></rect>`},
		{"functions nobody has listed", `<rect style="fill:attr(href);stroke:var(--a);width:calc(1px)" filter="blur(2px)"/>`, `<rect></rect>`},
		{"elements nobody has listed", `<filter><feImage href="https://example.org/x"/></filter><cursor href="x"/><handler/><pattern/><video/>`, ``},
		{"attributes nobody has listed", `<rect ping="https://example.org/" data-x="1" requiredExtensions="x" width="2"/>`, `<rect width="2"></rect>`},
		{"an attribute twice", `<image href="data:image/png;base64,AAAA" xlink:href="data:image/png;base64,BBBB"/>`, `<image href="data:image/png;base64,AAAA"></image>`},
		{"an SVG as a colour", `<rect fill="url(data:image/svg+xml;base64,AAAA)"/>`, `<rect></rect>`},
		{"a set of pictures", `<rect style="background:-webkit-image-set('https://example.org/x' 1x)"/>`, `<rect></rect>`},
		{"an address in CSS's escapes", `<rect fill="\75rl(https://example.org/x)" aria-label="the set \ the point, image(f)"/>`, `<rect aria-label="the set \ the point, image(f)"></rect>`},
		{"a style that imports", `<style>@import url("https://example.org/x.css");</style><style>@IMPORT 'x';</style><rect/>`, `<style></style><style></style><rect></rect>`},
		{"a style in pieces", `<style>@im<!-- -->po<![CDATA[rt]]> "https://example.org/x.css";</style><style>@im<g>a</g>port "x";</style>`, `<style></style><style></style>`},
		{"a style in escapes", `<style>@\69mport "x";</style>`, `<style></style>`},
		{"a rule in a rule", `<style>@media all{rect{fill:url(https://example.org/x)}}</style>`, `<style></style>`},
		{"a font from elsewhere", `<style>@font-face{font-family:a;src:url(#a),url(https://example.org/x)}</style>`, `<style></style>`},
		{"another base", `<path id="a"/><use xml:base="https://example.org/x.svg" href="#a" xml:space="preserve"/>`, `<path id="a"></path><use href="#a" xml:space="preserve"></use>`},
		{"rules", `<style type="text/css">*{stroke-linejoin: round} .a, g > path{fill:none;background:url(x);stroke:red}</style>`,
			`<style type="text/css">*{stroke-linejoin: round} .a, g &gt; path{fill:none;stroke:red}</style>`},
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

// A figure of gonum/plot is kept whole.
func TestDrawingOnlyKeepsGonumsFigures(t *testing.T) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text = "A plane & its margin", "x₁ <cm>"
	line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 2}})
	if err != nil {
		t.Fatal(err)
	}
	line.Dashes = plotutil.Dashes(1)
	line.Color = color.NRGBA{R: 200, A: 100}
	picture := image.NewRGBA(image.Rect(0, 0, 4, 4))
	p.Add(line, plotter.NewGrid(), plotter.NewImage(picture, 0, 0, 1, 1))
	c := vgsvg.New(200, 100)
	p.Draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	for _, attribute := range []string{" role=\"img\" aria-labelledby=\"a-t\"", ""} {
		svg := strings.Replace(b.String(), "<svg ", "<svg"+attribute+" ", 1)
		got, err := drawingOnly(svg)
		if err != nil {
			t.Fatal(err)
		}
		if want, have := parts(t, svg), parts(t, got); !slices.Equal(want, have) || len(want) < 50 {
			t.Errorf("%d parts became %d:\n%s\n%s", len(want), len(have), svg, got)
		}
	}
}

// parts lists the elements, attributes and texts of a picture, without the names of its dialects.
func parts(t *testing.T, svg string) (list []string) {
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			list = append(list, token.Name.Local)
			for _, a := range token.Attr {
				if a.Name.Space != "xmlns" {
					list = append(list, a.Name.Local+"="+a.Value)
				}
			}
		case xml.CharData:
			if s := strings.TrimSpace(string(token)); s != "" {
				list = append(list, s)
			}
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

var (
	anyFunction      = regexp.MustCompile(`(?s)([-\w]*)\s*\(([^()]*)`)
	harmlessFunction = regexp.MustCompile(`^-*(rgba?|hsla?|matrix|translate|scale|rotate|skewx|skewy)$`)
)

// elsewhere returns the first text of a picture, of an attribute or within a style, that CSS would fetch something by.
func elsewhere(t *testing.T, svg string) string {
	suspect := func(css string) bool {
		for _, m := range anyFunction.FindAllStringSubmatch(css, -1) {
			name, argument := strings.ToLower(m[1]), strings.TrimLeft(m[2], " \t\r\n\f\"'")
			if !harmlessFunction.MatchString(name) && !(strings.HasSuffix(name, "url") && strings.HasPrefix(argument, "#")) {
				return true
			}
		}
		return strings.ContainsAny(css, `@\`)
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
