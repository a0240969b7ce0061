package predict

import (
	"fmt"
	"math"
	"slices"

	"lamcap/harness/table"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// Memory is the shape of a memory: W ∈ R^{d_out×d_in}, of rank at most Rank.
type Memory struct {
	In, Out int // d_in, d_out ≥ 1
	Rank    int // m; 0 means full, min(d_out, d_in)
}

func (m Memory) check() error {
	for _, x := range []struct {
		name  string
		value int
	}{{"d_in", m.In}, {"d_out", m.Out}} {
		if x.value < 1 || x.value > maxDimension {
			return fmt.Errorf("%s = %d: want 1 ≤ %s ≤ %d", x.name, x.value, x.name, maxDimension)
		}
	}
	if full := min(m.In, m.Out); m.Rank < 0 || m.Rank > full {
		return fmt.Errorf("rank = %d: want 1 ≤ rank ≤ min(d_in, d_out) = %d", m.Rank, full)
	}
	return nil
}

// rank is m, also where it was left out.
func (m Memory) rank() int {
	if m.Rank == 0 {
		return min(m.In, m.Out)
	}
	return m.Rank
}

func (m Memory) full() bool { return m.rank() == min(m.In, m.Out) }

// atFraction is the memory of rank κ·min(d_in, d_out), rounded, at least 1.
func (m Memory) atFraction(kappa float64) Memory {
	full := min(m.In, m.Out)
	m.Rank = min(full, max(1, int(math.Round(kappa*float64(full)))))
	return m
}

// parameters is how many numbers are stored: d_in d_out at full rank, the
// entries of both factors of W = QRᵀ below, unless W itself has fewer.
func (m Memory) parameters() float64 {
	in, out := float64(m.In), float64(m.Out)
	return math.Min(in*out, float64(m.rank())*(in+out))
}

// effective is N_eff, the effective number of weights.
func (m Memory) effective(s *quartercircle.Spectra) (quartercircle.Estimate, error) {
	if err := m.check(); err != nil {
		return quartercircle.Estimate{Value: math.NaN()}, err
	}
	return s.EffectiveDimension(m.Out, m.In, m.rank())
}

// criticalError is how far p_c may be off: its own bound and that of N_eff, to
// which it is proportional at most.
func criticalError(c saddle.Critical, n quartercircle.Estimate) float64 {
	return c.Error + c.Facts*spread(n)/n.Value
}

// show sets whether human formats show a column; it panics without that column.
func show(t *table.Table, key string, shown bool) {
	i := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Key == key })
	if i < 0 {
		panic(fmt.Sprintf("predict: %s has no column %s", t.Name, key))
	}
	t.Columns[i].Hidden = !shown
}

// spread is how far N_eff may be off: two standard errors and the bound.
func spread(n quartercircle.Estimate) float64 { return 2*n.StandardError + n.Bound }
