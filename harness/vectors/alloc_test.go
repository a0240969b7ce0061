package vectors

import "runtime"

// totalAlloc is how many bytes were ever allocated.
func totalAlloc() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
