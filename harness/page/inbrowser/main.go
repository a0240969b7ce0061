package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"

	"lamcap/internal/devtools"
)

func main() {
	chromium := flag.String("chromium", "", "path of the browser (default: the one that is installed)")
	pictures := flag.String("pictures", "", "folder in which to write what each window shows, as PNG")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: inbrowser [-chromium PATH] [-pictures DIR] PAGE.html")
		os.Exit(2)
	}
	switch good, err := run(os.Stdout, *chromium, *pictures, flag.Arg(0)); {
	case err != nil:
		fmt.Fprintln(os.Stderr, "inbrowser:", err)
		os.Exit(1)
	case !good:
		os.Exit(1)
	}
}

// run prints what was found and reports whether it is good.
func run(w io.Writer, chromium, pictures, path string) (good bool, err error) {
	address, err := address(path)
	if err != nil {
		return false, err
	}
	if chromium == "" {
		if chromium, err = devtools.Find(); err != nil {
			return false, err
		}
	}
	if pictures != "" {
		if err := os.MkdirAll(pictures, 0o777); err != nil {
			return false, err
		}
	}
	b, err := devtools.Start(chromium)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	c := &checker{b: b, url: address, pictures: pictures}
	good = true
	for _, view := range windows() {
		findings, err := c.window(view)
		for _, f := range findings {
			verdict := "ok"
			if len(f.problems) > 0 {
				verdict, good = "PROBLEM", false
			}
			fmt.Fprintf(w, "%-8s %s\n", verdict, f.subject)
			for _, p := range f.problems {
				fmt.Fprintln(w, "         ", p)
			}
		}
		if err != nil {
			return false, err
		}
	}
	return good, nil
}

// address returns the file's URL.
func address(path string) (string, error) {
	if _, err := os.Stat(path); err != nil {
		return "", err
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return (&url.URL{Scheme: "file", Path: absolute}).String(), nil
}
