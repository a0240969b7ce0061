package page

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestInline(t *testing.T) {
	got, err := inline([]byte(`<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<!-- made by a program -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" role="img" version="1.1" width="10pt" viewBox="0 0 10 10">
<title>T</title><desc>D</desc><defs><clipPath id="c"><path d="M0 0"/></clipPath></defs>
<g class="light" clip-path="url('#c')" fill="red" style="fill:none; stroke : #000;"><use xlink:href="#p"/><path id="p" d="M1 1"/></g>
<text aria-label="x">a &lt; b ]]&gt;</text></svg>`), "f1l", "light")
	require.NoError(t, err)
	assert.Equal(t, `<svg class="light" aria-hidden="true" focusable="false" width="20" viewBox="0 0 10 10">
<defs><clipPath id="f1l0"><path d="M0 0"></path></clipPath></defs>
<g clip-path="url(#f1l0)" fill="none" stroke="#000"><use href="#f1l1"></use><path id="f1l1" d="M1 1"></path></g>
<text>a &lt; b ]]&gt;</text></svg>`, got)
}

// Drawings too broad for a phone are told apart.
func TestInlineBroadDrawings(t *testing.T) {
	for width, want := range map[string]string{
		"300pt": `class="light" aria-hidden="true" focusable="false" width="600"`, "301pt": `class="light broad" aria-hidden="true" focusable="false" width="602"`,
		"10.6cm": `class="light broad" aria-hidden="true" focusable="false" width="601"`, "4in": `width="576"`, "100mm": `width="567"`, "400": `width="600"`,
	} {
		got, err := inline([]byte(`<svg width="`+width+`"/>`), "", "light")
		require.NoError(t, err)
		assert.Contains(t, got, want, width)
	}
}

func TestInlineRefusesWhatIsNoDrawing(t *testing.T) {
	for svg, want := range map[string]string{
		``:                               "svg: no element svg: want one",
		`<g/>`:                           "svg: an element g at the top: want one svg",
		`<svg/><svg/>`:                   "svg: an element svg at the top: want one svg",
		`<svg><script/></svg>`:           "svg: an element script: want a plain drawing",
		`<svg><style/></svg>`:            "svg: an element style: want a plain drawing",
		`<svg><a href="#x"/></svg>`:      "svg: an element a: want a plain drawing",
		`<svg><image href="x"/></svg>`:   "svg: an element image: want a plain drawing",
		`<svg onload="x"/>`:              "svg: an attribute onload: want a plain drawing",
		`<svg><use href="x.svg"/></svg>`: `svg: a link to "x.svg": want one within the drawing`,
		`<svg><g style="fill:URL( 'https://x' )"/></svg>`: `svg: a reference to "https://x": want one within the drawing`,
		`<svg><use href="#x"/></svg>`:                     "svg: it refers to what is not there",
	} {
		_, err := inline([]byte(svg), "", "")
		assert.EqualError(t, err, want, svg)
	}
	for _, width := range []string{"", "pt", "1em", "100%", "-1", "0", "1e999", "NaN", "inf"} {
		_, err := inline([]byte(`<svg width="`+width+`"/>`), "", "")
		assert.ErrorContains(t, err, "want a length", width)
	}
	_, err := inline([]byte(`<svg><g></svg>`), "", "")
	assert.ErrorContains(t, err, "svg: ")
}
