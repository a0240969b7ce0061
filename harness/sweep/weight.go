package sweep

// weight is what a trial costs, relative to others.
func weight(c Cell) float64 {
	return c.Spec.PoolNumbers() * float64(c.Spec.DIn)
}
