package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/sweep"
	"lamcap/quartercircle"
)

func TestGridOfTheHelpIsOne(t *testing.T) {
	grid, err := sweep.ParseGrid(exampleGrid, "help")
	require.NoError(t, err)
	p, err := grid.Plan(quartercircle.NewSpectra())
	require.NoError(t, err)
	require.Len(t, p.Cells, 2*5*5*2)
	require.Equal(t, 50*(20+200), p.Instances())
}

// The README shows the grid of the help.
func TestGridOfREADME(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	assert.Contains(t, string(text), "```toml\n"+exampleGrid+"```\n")
}
