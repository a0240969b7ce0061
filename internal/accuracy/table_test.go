package accuracy_test

import (
	"testing"

	"lamcap/internal/accuracy"
)

// TestAccuracyTable holds every public function of the theory to its budget, and
// prints the table of the README.
func TestAccuracyTable(t *testing.T) {
	var table accuracy.Table
	quarterCircleRows(t, &table)
	rectangularRows(t, &table)
	normalRows(t, &table)
	maximumRows(t, &table)
	coneRows(t, &table)
	expansionRows(t, &table)
	marginRows(t, &table)
	gardnerRows(t, &table)
	limitRows(t, &table)
	storableRows(t, &table)
	criterionRows(t, &table)
	hebbRows(t, &table)
	table.Check(t)
}
