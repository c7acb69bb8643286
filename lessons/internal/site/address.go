package site

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"net/url"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Address is where a site will be. Pages link to each other without it. The page for addresses that do not
// exist needs the path, and what search engines and messengers read needs the host, too.
type Address struct {
	Host string // as https://example.org; empty: not known
	Path string // begins and ends with /; empty: not known
}

// ParseAddress reads an address as https://host/prefix, or its path alone.
func ParseAddress(s string) (a Address, err error) {
	u, err := url.Parse(s)
	whole := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
	if err != nil || u.User != nil || u.RawQuery != "" || u.Fragment != "" || !whole && (u.Scheme != "" || u.Host != "" || !strings.HasPrefix(s, "/")) {
		return a, fmt.Errorf("%q is neither like https://host/prefix nor like /prefix", s)
	}
	if whole {
		a.Host = u.Scheme + "://" + u.Host
	}
	a.Path = strings.TrimRight(u.EscapedPath(), "/") + "/"
	return a, nil
}

// The picture that messengers show beside a link: 1200 by 630 pixels, 192 an inch as in [plots.Figure.PNG].
const (
	cardFile   = "assets/card.png"
	cardWidth  = 1200 * vg.Inch / 192
	cardHeight = 630 * vg.Inch / 192
)

// published writes what needs an address: the page for those that do not exist, the card and the sitemap.
func (f *folder) published(ctx context.Context) error {
	if f.address.Path == "" {
		return nil
	}
	pages := f.pages
	f.render("404.html", map[string]any{"Title": "No such page", "Guide": true, "Root": f.address.Path})
	if f.address.Host == "" {
		return nil
	}
	var b bytes.Buffer
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, name := range pages {
		b.WriteString("<url><loc>")
		xml.EscapeText(&b, []byte(f.url(name))) // a bytes.Buffer does not fail
		b.WriteString("</loc></url>\n")
	}
	b.WriteString("</urlset>\n")
	f.putBytes("sitemap.xml", b.Bytes())
	_, figure, err := startFigure(ctx)
	if err != nil {
		return err
	}
	figure.Width, figure.Height = cardWidth, cardHeight
	figure.Plot.Title.Text = "Perceptrons and support vector machines"
	card, err := figure.PNG()
	if err != nil {
		return err
	}
	f.putBytes(cardFile, card)
	return nil
}

// url is the whole address of a page, or empty if the host is not known.
func (f *folder) url(name string) string {
	if f.address.Host == "" {
		return ""
	}
	if name == "index.html" {
		name = ""
	}
	return f.address.Host + f.address.Path + name
}
