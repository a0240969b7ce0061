package table_test

import (
	"os"

	"lamcap/harness/table"
)

func Example() {
	t := &table.Table{
		Name:  "finite_size",
		Title: "Capacity at full rank, n = p",
		Columns: []table.Column{
			{Key: "n", Head: "n"},
			{Key: "d_n", Head: "D_n", Digits: 6},
			{Key: "alpha_c", Head: "α_c", Digits: 4},
		},
	}
	t.Append(1e3, 8.1202378064, 0.85068387)
	t.Append(1e300, 1361.060722, 0.507527)
	for _, f := range []table.Format{table.TableFormat, table.JSON} {
		if err := table.Write(os.Stdout, f, t); err != nil {
			panic(err)
		}
	}
	// Output:
	// Capacity at full rank, n = p
	// ┌───────┬─────────┬────────┐
	// │     n │     D_n │    α_c │
	// ├───────┼─────────┼────────┤
	// │  1000 │ 8.12024 │ 0.8507 │
	// │ 1e300 │ 1361.06 │ 0.5075 │
	// └───────┴─────────┴────────┘
	// {"n":1000,"d_n":8.1202378064,"alpha_c":0.85068387}
	// {"n":1e300,"d_n":1361.060722,"alpha_c":0.507527}
}
