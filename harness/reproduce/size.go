package reproduce

import (
	_ "embed"
	"fmt"

	"lamcap/harness/sweep"
	"lamcap/quartercircle"
)

// Size says how large the memories are and how many.
type Size int

const (
	// Default takes about ten minutes on two cores.
	Default Size = iota
	// Quick takes about a minute.
	Quick
	// Full takes hours.
	Full
)

var (
	//go:embed grids/default.toml
	defaultGrid string
	//go:embed grids/quick.toml
	quickGrid string
	//go:embed grids/full.toml
	fullGrid string
)

// Plan resolves the size's grid.
func (s Size) Plan() (*sweep.Plan, error) {
	grid, err := sweep.ParseGrid(s.Grid(), s.String()+".toml")
	if err != nil {
		return nil, err
	}
	return grid.Plan(quartercircle.NewSpectra())
}

// Grid returns the TOML text of the size's grid.
func (s Size) Grid() string {
	switch s {
	case Default:
		return defaultGrid
	case Quick:
		return quickGrid
	case Full:
		return fullGrid
	}
	panic(fmt.Sprintf("reproduce: size(%d): want Default, Quick or Full", int(s)))
}

// String returns "default", "quick" or "full".
func (s Size) String() string {
	switch s {
	case Default:
		return "default"
	case Quick:
		return "quick"
	case Full:
		return "full"
	}
	return fmt.Sprintf("size(%d)", int(s))
}
