// Package bench measures how fast this machine trains and decides memories.
//
// Every number is a median over repeats in one run, and what is compared is
// measured in turns, so that a machine that is slowed down by others slows both
// sides:
//
//	ceiling   multiply-adds in registers alone: what no product exceeds
//	product   a matrix product, packing included, and its share of the ceiling
//	step      a full-batch Adam step on the cross-entropy of OP, in float32
//	decision  time until all facts are recalled, with a verified witness, or
//	          until it is proved that no W stores them
//
// Where PyTorch is installed, pytorch.py does the same steps, and full-batch Adam
// to 100% recall at the best of a grid of learning rates, on the same instances.
package bench
