package page_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lamcap/harness/page"
	"lamcap/harness/table"
)

// Whatever the texts are, the page's tags are those of a page without them: they can
// neither add markup nor end the markup that is there.
func TestNoTextIsMarkup(t *testing.T) {
	tags := regexp.MustCompile(`<(/?[a-z0-9]+)((?: [a-z-]+(?:="[^"<>]*")?)*)>`)
	values := regexp.MustCompile(`="[^"]*"`)
	scripts := strings.NewReplacer("<sub>", "", "</sub>", "", "<sup>", "", "</sup>", "", "<code>", "", "</code>", "", "<br>", "")
	// skeleton is the page without style, script, text and values of attributes.
	skeleton := func(t *rapid.T, s string) string {
		var b bytes.Buffer
		if err := page.Write(&b, document(s)); err != nil {
			t.Fatal(err)
		}
		head, rest, ok := strings.Cut(b.String(), "<style>")
		_, body, ok2 := strings.Cut(rest, "</style>")
		body, _, ok3 := strings.Cut(body, "<script>")
		if !ok || !ok2 || !ok3 {
			t.Fatal("no style or no script")
		}
		html := scripts.Replace(strings.TrimPrefix(head, "<!DOCTYPE html>") + body)
		var found []string
		for _, tag := range tags.FindAllString(html, -1) {
			found = append(found, values.ReplaceAllString(tag, ""))
		}
		if rest := tags.ReplaceAllString(html, ""); strings.ContainsAny(rest, "<>") {
			t.Fatalf("%q is no text", rest)
		}
		return strings.Join(found, "\n")
	}
	rapid.Check(t, func(t *rapid.T) {
		s := "x" + rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("ab/<>&\"'`=!-[]_^{}\n \x00\u2028")))).Draw(t, "s")
		if got, want := skeleton(t, s), skeleton(t, "x"); got != want {
			t.Fatalf("%q gives %d lines of tags, want these %d:\n%s", s, strings.Count(got, "\n"), strings.Count(want, "\n"), got)
		}
	})
}

// document has s wherever a text can be.
func document(s string) *page.Document {
	t := &table.Table{Name: s, Title: s, Columns: []table.Column{{Key: "a", Head: s}, {Key: "b"}}, Notes: []string{strings.ReplaceAll(s, "\n", " ")}} // a line is a note
	t.Append(s, 1)
	vertical := *t
	vertical.Vertical = true
	return &page.Document{
		Title: s, Abstract: []string{s},
		Sections:   []page.Section{{ID: s, Title: s, Text: []string{s}, Tables: []*table.Table{t}}, {Title: s}},
		Provenance: []*table.Table{&vertical},
	}
}
