// Command lamcap computes the storage capacity of linear associative memories
// and checks it against trained models.
//
//	lamcap capacity --kappa 0.25,0.5,1 --d 24   capacity by rank and dimension
//	lamcap finite-size --n 10,1e3,1e300         the approach to the limit
//	lamcap probability --d 24 --p 98:139:1      the chance that all facts fit
//	lamcap plan --facts 50000                   the dimension that stores them
//	lamcap margin --d 24 --p 60                 how well facts are separated
//	lamcap volume --d 24 --p 60                 how many W store them, how alike
//	lamcap criterion --d 24 --fraction 0.01,0.1 some facts missed, or top k
//	lamcap spectrum --d 24,48                   singular values of trained memories
//	lamcap scores --d 24 --p 60                 scores of trained memories
//	lamcap saddle --d 24 --p 150                what training reaches
//	lamcap compare                              trained memories beside the theory
//	lamcap reproduce --quick                    the paper's kinds of figure
//	lamcap train --model dp --d 24 --p 100      one instance, decided
//	lamcap store --keys K --values V --out W    your own vectors, decided and stored
//	lamcap recall --weights W --keys K --values V  what such a memory answers
//	lamcap inspect --weights W --keys K --values V  is a W trained anywhere optimal
//	lamcap check proof.json                     a proof that they wrote, verified
//	lamcap sweep plan grid.toml                 a grid of trials, and how long it takes
//	lamcap pairings                             random pairings of real vectors
//	lamcap verify                               theory against simulation
//	lamcap report DIR --out report              tables and figures of a sweep
//	lamcap bench                                how fast this machine decides
//	lamcap version                              which build this is
//	lamcap completion bash                      completion for a shell
//	lamcap help theory                          symbols; also formats, seeds, files
//
// Results go to standard output in the format of --format, everything else to
// standard error. The exit code is 0 when all is fine and 2 for wrong usage,
// which is told before any work is done. It is 1 when a verification failed or a
// certificate is not valid, when the work was interrupted, when the certificate
// asked for could not be written or nothing was proved, when the training could
// not be saved, and when the output could not be written.
package main
