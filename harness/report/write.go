package report

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lamcap/harness/chart"
	"lamcap/harness/page"
	"lamcap/harness/sweep"
	"lamcap/harness/table"
	"lamcap/internal/files"
)

// filesName lists the files of a report, by which a folder is known to be one.
const filesName = "files.csv"

var (
	tableFormats  = []struct{ extension, format string }{{"txt", "table"}, {"md", "markdown"}, {"tex", "latex"}, {"csv", "csv"}}
	figureFormats = []string{"svg", "png", "pdf"}
)

// Write writes a report as a folder:
//
//	index.html       everything, in one file
//	tables/          each table as text, Markdown, LaTeX and CSV
//	figures/         each figure as SVG, PNG and PDF
//	trials.parquet   a row for each trial, raw
//	files.csv        all other files, with their sizes and SHA-256
//
// It is written whole, next to its place, and then renamed into it: an older report there is
// replaced, and a folder that holds anything that no report put there is refused. The same
// document and records give the same bytes.
func Write(dir string, doc *page.Document, records []sweep.Record) error {
	if err := Refuse(dir); err != nil {
		return err
	}
	dir = filepath.Clean(dir)
	temporary, err := neighbour(dir)
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary) // what is left of a report that failed, or the older one
	if err := fill(filepath.Join(temporary, "new"), doc, records); err != nil {
		return fmt.Errorf("out = %s: %w", dir, err)
	}
	return place(dir, temporary)
}

// neighbour makes a temporary folder next to a place.
func neighbour(dir string) (string, error) {
	temporary, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+"-*")
	if err != nil {
		return "", fmt.Errorf("out = %s: no folder can be made there (%w): want a place that is writable", dir, files.Cause(err))
	}
	return temporary, nil
}

// place moves the finished report to where an older one may be.
func place(dir, temporary string) error {
	old := filepath.Join(temporary, "old")
	err := os.Rename(dir, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	replaced := err == nil
	if err := os.Rename(filepath.Join(temporary, "new"), dir); err != nil {
		if replaced {
			err = errors.Join(err, os.Rename(old, dir))
		}
		return err
	}
	return files.SyncFolder(filepath.Dir(dir))
}

// fill writes all files of a report into a new folder.
func fill(dir string, doc *page.Document, records []sweep.Record) error {
	for _, d := range []string{dir, filepath.Join(dir, "tables"), filepath.Join(dir, "figures")} {
		if err := os.Mkdir(d, 0o777); err != nil {
			return err
		}
	}
	listing := newListing()
	write := func(name string, content func(w io.Writer) error) error {
		hash, counter := sha256.New(), &byteCount{}
		err := files.Create(filepath.Join(dir, filepath.FromSlash(name)), func(w io.Writer) error {
			return content(io.MultiWriter(w, hash, counter))
		})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		listing.Append(name, counter.n, hex.EncodeToString(hash.Sum(nil)))
		return nil
	}
	if err := write("index.html", func(w io.Writer) error { return page.Write(w, doc) }); err != nil {
		return err
	}
	tables, figures, err := parts(doc)
	if err != nil {
		return err
	}
	for _, t := range tables {
		for _, f := range tableFormats {
			format, err := table.ParseFormat(f.format)
			if err != nil {
				return err
			}
			if err := write("tables/"+t.Name+"."+f.extension, func(w io.Writer) error { return table.Write(w, format, t) }); err != nil {
				return err
			}
		}
	}
	for i := range figures {
		for _, format := range figureFormats {
			if err := write("figures/"+figures[i].Name+"."+format, func(w io.Writer) error { return figures[i].Write(w, format, chart.Light) }); err != nil {
				return err
			}
		}
	}
	if err := write("trials.parquet", func(w io.Writer) error { return writeTrials(w, records) }); err != nil {
		return err
	}
	return files.Create(filepath.Join(dir, filesName), func(w io.Writer) error { return table.Write(w, table.CSV, listing) })
}

// parts lists tables and figures of a document, whose names must differ.
func parts(doc *page.Document) (tables []*table.Table, figures []chart.Figure, err error) {
	tables = slices.Clone(doc.Provenance)
	for _, s := range doc.Sections {
		tables, figures = append(tables, s.Tables...), append(figures, s.Figures...)
	}
	seen := map[string]bool{}
	check := func(kind, name string) error {
		if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			return fmt.Errorf("%s %q: want a name in snake_case, which its files get", kind, name)
		}
		if seen[kind+name] {
			return fmt.Errorf("%s %s: want its name once", kind, name)
		}
		seen[kind+name] = true
		return nil
	}
	for _, t := range tables {
		err = errors.Join(err, check("table", t.Name))
	}
	for _, f := range figures {
		err = errors.Join(err, check("figure", f.Name))
	}
	return tables, figures, err
}

type byteCount struct{ n int64 }

func (c *byteCount) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

func newListing() *table.Table {
	return &table.Table{Name: "files", Title: "Files of the report", Columns: []table.Column{
		{Key: "file"}, {Key: "bytes"}, {Key: "sha256", Head: "SHA-256", Hidden: true},
	}}
}

// Files returns the list of the files of a report, without the list itself.
func Files(dir string) (*table.Table, error) {
	file, err := files.Open(filepath.Join(dir, filesName))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, filesName), err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], []string{"file", "bytes", "sha256"}) {
		return nil, fmt.Errorf("%s: not the list of a report's files", filepath.Join(dir, filesName))
	}
	t := newListing()
	for _, r := range rows[1:] {
		var n int64
		if _, err := fmt.Sscan(r[1], &n); err != nil {
			return nil, fmt.Errorf("%s: bytes = %s: want an integer", filepath.Join(dir, filesName), r[1])
		}
		t.Append(r[0], n, r[2])
	}
	return t, nil
}

// Refuse returns an error if a report cannot be written to a folder: because it holds what no report
// put there, is no folder, or nothing can be written beside it. Told before the work whose result
// would be lost.
func Refuse(dir string) error {
	if clean := filepath.Clean(dir); slices.Contains([]string{".", "..", string(filepath.Separator)}, filepath.Base(clean)) {
		return fmt.Errorf("out = %s: cannot be replaced as a whole: want the name of a new folder, or of an older report", dir)
	}
	temporary, err := neighbour(filepath.Clean(dir))
	if err != nil {
		return err
	}
	if err := os.Remove(temporary); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("out = %s: is there and no folder: want the name of a new folder, or of an older report", dir)
	}
	known := map[string]bool{filesName: true}
	list, err := Files(dir)
	if err == nil {
		for _, r := range list.Rows {
			known[r[0].(string)] = true
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("out = %s: %w: want the name of a new folder, or of an older report", dir, err)
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || entry.IsDir() || known[filepath.ToSlash(name)] {
			return err
		}
		return fmt.Errorf("out = %s: holds %s, which is not of a report: want the name of a new folder, or of an older report", dir, name)
	})
}
