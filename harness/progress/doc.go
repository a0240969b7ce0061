// Package progress tells a waiting person how far a long computation is.
//
// On a terminal it draws a bar that disappears when the work is done;
// elsewhere (a log, a pipe) it prints a plain line at most every ten seconds,
// and nothing at all when the work takes less. The remaining time assumes
// that each unit of work takes as long as those done so far:
//
//	left = elapsed (total − done)/done
package progress
