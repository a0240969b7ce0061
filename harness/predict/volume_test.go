package predict

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/saddle"
)

// Rows are saddle's, in order, by n = p or the n given.
func TestVolumes(t *testing.T) {
	const draws = 200
	for _, n := range []float64{0, 5} {
		tab, err := Volumes(VolumeQuery{Memories: []Memory{{In: 12, Out: 8}, {In: 8, Out: 8, Rank: 8}}, Facts: []float64{4, 9}, Candidates: n, Draws: draws, Seed: 3})
		require.NoError(t, err)
		require.Len(t, tab.Rows, 4)
		for i, row := range []struct {
			in int
			p  float64
		}{{12, 4}, {12, 9}, {8, 4}, {8, 9}} {
			want, err := saddle.Volume(saddle.VolumeQuery{DIn: row.in, DOut: 8, Facts: row.p, Candidates: n, Draws: draws, Seed: 3})
			require.NoError(t, err)
			critical, err := criticalFacts(float64(8*row.in), n)
			require.NoError(t, err)
			for key, value := range map[string]any{
				"d_in": row.in, "d_out": 8, "rank": 8, "n_eff": float64(8 * row.in), "p": row.p, "p_c": critical.Facts,
				"overlap": want.Overlap.Value, "overlap_error": want.Overlap.Error,
				"entropy": want.FreeEnergy.Value, "entropy_error": want.FreeEnergy.Error,
				"residual": want.Residual, "draws": draws, "status": want.Status, "error_kind": "standard_error",
			} {
				assert.Equal(t, value, column(t, tab, key)[i], key)
			}
			among := n
			if n == 0 {
				among = row.p
			}
			assert.Equal(t, among, column(t, tab, "n")[i])
		}
	}
}

// A load out of range is an error before the others are computed.
func TestVolumesOutOfRange(t *testing.T) {
	_, err := Volumes(VolumeQuery{Memories: []Memory{{In: 24, Out: 24}}, Facts: []float64{100, 116}})
	assert.EqualError(t, err, "p = 116: no solutions at and above capacity: want p < p_c = 115.4674159 (576 weights, n = 116)")
	_, err = Volumes(VolumeQuery{Memories: []Memory{{In: 24, Out: 24, Rank: 12}}, Facts: []float64{10}})
	assert.ErrorContains(t, err, "matrices of a lower rank are no linear space")
	_, err = Volumes(VolumeQuery{Memories: []Memory{{In: 24, Out: 24}}})
	assert.Error(t, err)
}
