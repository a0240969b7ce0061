package devtools

import (
	"bytes"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func start(t *testing.T) *Browser {
	t.Helper()
	path, err := Find()
	if err != nil {
		t.Skip(err)
	}
	b, err := Start(path)
	require.NoError(t, err)
	return b
}

func file(t *testing.T, html string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a page.html")
	require.NoError(t, os.WriteFile(path, []byte(html), 0o666))
	return (&url.URL{Scheme: "file", Path: path}).String()
}

func TestTab(t *testing.T) {
	b := start(t)
	defer func() { assert.NoError(t, b.Close()) }()
	address := file(t, `<title>T</title><button onclick="this.textContent += event.isTrusted ? '+' : '?'">b</button>
<img src="http://example.org/x"><script>console.log("said", 1, {}); document.title += "!"; null.x</script>`)
	tab, err := b.Open(address, View{Width: 400, Height: 300, Dark: true, Phone: true})
	require.NoError(t, err)

	var title string
	require.NoError(t, tab.Evaluate("document.title", &title))
	assert.Equal(t, "T!", title)
	assert.ErrorContains(t, tab.Evaluate("nothing.x", nil), "ReferenceError: nothing is not defined")
	assert.Equal(t, []string{address, "http://example.org/x"}, tab.Requests())
	messages := tab.Messages()
	require.Len(t, messages, 3)
	assert.Contains(t, messages, "console.log: said 1 Object")
	assert.ErrorContains(t, tab.Click("document.querySelector('i')"), "TypeError")

	var seen struct {
		Dark, Print bool
		Width       int
	}
	look := `({dark: matchMedia("(prefers-color-scheme: dark)").matches, print: matchMedia("print").matches, width: innerWidth})`
	require.NoError(t, tab.Evaluate(look, &seen))
	assert.True(t, seen.Dark && !seen.Print)
	require.NoError(t, tab.Look(View{Width: 500, Height: 300, Print: true, NoScript: true}))
	require.NoError(t, tab.Evaluate(look, &seen))
	assert.True(t, !seen.Dark && seen.Print)
	assert.Equal(t, 500, seen.Width)

	require.NoError(t, tab.Reload())
	require.NoError(t, tab.Evaluate("document.title", &title))
	assert.Equal(t, "T", title, "scripts are off")

	require.NoError(t, tab.Look(View{Width: 500, Height: 300}))
	require.NoError(t, tab.Reload())
	require.NoError(t, tab.Click("document.querySelector('button')"))
	require.NoError(t, tab.Press("Enter"))
	require.NoError(t, tab.Press("Space"))
	require.NoError(t, tab.Evaluate("document.querySelector('button').textContent", &title))
	assert.Equal(t, "b+++", title, "a click, Enter and the space bar")
	assert.Panics(t, func() { _ = tab.Press("F13") })

	raw, err := tab.Screenshot(false)
	require.NoError(t, err)
	picture, err := png.Decode(bytes.NewReader(raw))
	require.NoError(t, err)
	assert.Equal(t, 500, picture.Bounds().Dx())
	require.NoError(t, tab.Close())

	_, err = b.Open("file:///nothing/here.html", View{Width: 10, Height: 10})
	assert.ErrorContains(t, err, "ERR_FILE_NOT_FOUND")
}

func TestABrowserThatDies(t *testing.T) {
	b := start(t)
	require.NoError(t, syscall.Kill(-b.process.Process.Pid, syscall.SIGKILL))
	<-b.ended
	_, err := b.Open("about:blank", View{Width: 10, Height: 10})
	assert.Error(t, err)
	assert.Error(t, b.Close())
	_, err = os.Stat(b.profile)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestNoBrowser(t *testing.T) {
	_, err := Start(filepath.Join(t.TempDir(), "chromium"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	t.Setenv("PATH", t.TempDir())
	_, err = Find()
	assert.ErrorContains(t, err, "install it")
}
