package compare

import (
	"io"

	"lamcap/extremes"
	"lamcap/harness/table"
)

func writeJSON(w io.Writer, r *Report) error { return table.Write(w, table.JSON, r.Records()) }

func logSurvival(x float64) float64 { return extremes.LogSurvival(x) }
