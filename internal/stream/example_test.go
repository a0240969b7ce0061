package stream_test

import (
	"fmt"

	"lamcap/internal/stream"
)

// A stream is an address: drawing it again gives the same numbers, whatever
// else was drawn in between.
func ExampleNew() {
	first := stream.New(1, "capacity", "DP d=24 p=100", 3).Uint64()
	stream.New(1, "capacity", "DP d=24 p=100", 4).Uint64()
	fmt.Println(first == stream.New(1, "capacity", "DP d=24 p=100", 3).Uint64())
	// Output: true
}
