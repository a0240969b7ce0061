package gemm

// Peak does iterations turns of multiply-adds in registers alone, as wide as
// the kernel's and as many independent ones as a tile has, and returns the
// number of floating-point operations done (two for a multiply-add). Timed, it
// is the ceiling that no product of this instruction set exceeds on one core.
func (k *Kernel[T]) Peak(iterations int) (flops float64) {
	if iterations <= 0 {
		return 0
	}
	k.peak(iterations, 0)
	return float64(iterations) * float64(k.flops)
}
