// Command lamcap computes the storage capacity of linear associative memories
// and checks it against trained models.
//
//	lamcap capacity --kappa 0.25,0.5,1 --d 24   capacity by rank and dimension
//	lamcap finite-size --n 10,1e3,1e300         the approach to the limit
//	lamcap train --model dp --d 24 --p 100      one instance, decided
//	lamcap verify                               theory against simulation
//
// Results go to standard output in the format of --format, everything else to
// standard error. The exit code is 0 when all is fine, 1 when a verification
// failed (or the output could not be written) and 2 for wrong usage.
package main
