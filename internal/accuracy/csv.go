package accuracy

import (
	"encoding/csv"
	"os"
	"testing"
)

// Read returns the rows of a CSV file as maps from the header's names to the
// text below them; an empty cell is left out.
func Read(tb testing.TB, file string) []map[string]string {
	tb.Helper()
	f, err := os.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		tb.Fatalf("%s: %v", file, err)
	}
	if len(records) < 2 {
		tb.Fatalf("%s: no rows", file)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			if record[i] != "" {
				row[name] = record[i]
			}
		}
		rows = append(rows, row)
	}
	return rows
}
