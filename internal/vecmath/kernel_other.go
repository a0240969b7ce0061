//go:build !amd64

package vecmath

// accelerate32 and accelerate64 would replace routines by assembly: none here.
func accelerate32(*Routines[float32]) {}
func accelerate64(*Routines[float64]) {}
