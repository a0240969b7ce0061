// Package stream gives every random draw of this module an address.
//
// A stream is a generator keyed by (master seed, experiment, cell, trial),
//
//	seed = SHA-256( tag ‖ master ‖ |experiment| ‖ experiment ‖ |cell| ‖ cell ‖ trial ),
//
// with integers and lengths |·| as 8 big-endian bytes, so that no two keys
// share an encoding. The seed starts a ChaCha8 generator. Results therefore
// do not depend on the number of threads, on the order of work, or on which
// other cells were run.
//
// A [Key] drawn from a stream addresses sub-streams in turn, one for each
// index, which can be generated again in any order.
package stream
