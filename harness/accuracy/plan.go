package accuracy

// Plan chooses curves for the given dimensions, nil meaning the default ones. trials replaces
// all numbers of trained instances; 0 keeps them.
func Plan(dimensions []int, trials int, full bool) []Curve {
	if dimensions == nil {
		dimensions = []int{32, 64}
		if full {
			dimensions = []int{32, 64, 128, 256}
		}
	}
	var curves []Curve
	for _, d := range dimensions {
		c := Curve{D: d, Loads: []float64{0.25, 0.5, 0.75, 1, 1.25, 1.5, 2}}
		switch {
		case !full && d <= 32:
			c.OP, c.DP, c.Hebb, c.Draws = 6, 6, 10, 1024
		case !full && d <= 64:
			c.OP, c.Hebb = 3, 4
		case !full:
			c.Hebb = 2
		case d <= 32:
			c.OP, c.DP, c.Hebb, c.Draws = 40, 40, 100, 8192
		case d <= 64:
			c.OP, c.DP, c.Hebb, c.Draws = 10, 6, 20, 2048
		case d <= 128:
			c.OP, c.Hebb = 3, 6
		default:
			c.OP, c.Hebb = 2, 2
		}
		if trials > 0 {
			c.OP, c.Hebb = trials, trials
			if d <= 64 { // DP's pools are p times as large
				c.DP = trials
			}
		}
		curves = append(curves, c)
	}
	return curves
}
