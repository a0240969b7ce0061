package accuracy

// Plan chooses curves for the given dimensions, nil meaning the default ones. trials replaces
// all numbers of instances that are not 0; 0 keeps them.
func Plan(dimensions []int, trials int, full bool) []Curve {
	if dimensions == nil {
		dimensions = []int{32, 64, 128}
		if full {
			dimensions = append(dimensions, 256)
		}
	}
	var curves []Curve
	for _, d := range dimensions {
		for _, c := range counts(d, full) {
			if trials > 0 {
				for _, n := range []*int{&c.OP, &c.DP, &c.Hebb} {
					if *n > 0 {
						*n = trials
					}
				}
			}
			c.D = d
			curves = append(curves, c)
		}
	}
	return curves
}

// counts are the default loads and numbers, in up to two parts: DP's pools are p times as large as
// OP's, and at d = 128 and p = 2137, α = 1, one instance takes a minute. What costs too much is left to
// theory. A draw at vector level costs some n d² for each of its Newton steps.
func counts(d int, full bool) []Curve {
	low, high := []float64{0.25, 0.5, 0.75}, []float64{1, 1.25, 1.5, 2}
	all := append(append([]float64{}, low...), high...)
	switch {
	case !full && d <= 32:
		return []Curve{{Loads: all, OP: 4, DP: 4, Hebb: 10, Draws: 1024}}
	case !full && d <= 64:
		return []Curve{{Loads: all, OP: 4, DP: 2, Hebb: 2, Draws: 256}}
	case !full && d <= 128:
		return []Curve{{Loads: low, OP: 2, DP: 2, Hebb: 2, Draws: 64}, {Loads: high, OP: 2, Draws: 64}}
	case d <= 32:
		return []Curve{{Loads: all, OP: 40, DP: 40, Hebb: 100, Draws: 8192}}
	case d <= 64:
		return []Curve{{Loads: all, OP: 10, DP: 6, Hebb: 20, Draws: 2048}}
	case d <= 128:
		return []Curve{{Loads: append(low, high[0]), OP: 4, DP: 2, Hebb: 6, Draws: 512}, {Loads: high[1:], OP: 4, Hebb: 6, Draws: 512}}
	}
	return []Curve{{Loads: all, OP: 2, Hebb: 2}}
}
