package root

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestExpand(t *testing.T) {
	inf := math.Inf(1)
	line := func(root float64) func(float64) float64 { return func(x float64) float64 { return x - root } }
	for _, c := range []struct {
		name             string
		f                func(float64) float64
		x0, step, lo, hi float64
		a, b             float64
		ok               bool
	}{
		{"to the right", line(1000), 0, 1, -10, 1e9, 512, 1024, true},
		{"to the left", line(-5), 0, 1, -inf, inf, -8, -4, true},
		{"exact at the start", line(0), 0, 1, -1, 1, 0, 0, true},
		{"exact on the way", line(4), 0, 1, -inf, inf, 4, 4, true},
		{"at the limit", line(10.5), 0, 1, 0, 11, 8, 11, true},
		{"beyond the limit", line(12), 0, 1, 0, 11, 0, 11, false},
		{"start outside", line(3), -7, 1, 2, 11, 2, 3, true},
		{"none", func(float64) float64 { return 1 }, 0, 1, -8, 8, -8, 8, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b, ok := Expand(c.f, c.x0, c.step, c.lo, c.hi)
			assert.Equal(t, c.ok, ok)
			if c.name != "start outside" {
				assert.Equal(t, c.a, a)
				assert.Equal(t, c.b, b)
			} else {
				assert.Equal(t, 3.0, a, "2 + step is an exact zero")
			}
		})
	}
	_, _, ok := Expand(math.Sqrt, 1, 1, -10, 0.5)
	assert.False(t, ok, "NaN")
	_, _, ok = Expand(func(float64) float64 { return 1 }, 0, 1, -inf, inf)
	assert.False(t, ok, "the whole line is searched in finite time")
	assert.Panics(t, func() { Expand(math.Sin, 0, 0, -1, 1) })
	assert.Panics(t, func() { Expand(math.Sin, 0, 1, 1, -1) })
}

func TestExpandThenFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root := rapid.Float64Range(-1e12, 1e12).Draw(t, "root")
		f := func(x float64) float64 { return math.Tanh(x - root) }
		x0 := rapid.Float64Range(-100, 100).Draw(t, "x0")
		a, b, ok := Expand(f, x0, 0.5, math.Inf(-1), math.Inf(1))
		if !ok || a > root || b < root {
			t.Fatalf("[%v, %v] %v does not hold %v", a, b, ok, root)
		}
		if r := Find(f, a, b, Options{}); math.Abs(r.X-root) > 1e-15*math.Abs(root)+1e-300 {
			t.Fatalf("%+v, want %v", r, root)
		}
	})
}
