// Package journal keeps files of JSON Lines that survive crashes: each line is appended
// by one write and synced before it counts, and a last line that a crash has torn is
// known as such and cut before the next is appended.
//
// A line is whole if it ends in a newline; and the last one of a file only if it is
// JSON too, as a file that lost its power may end in blocks that were never written.
// Before the last line nothing can be torn: what is not as it was written there is
// damage, which a reader refuses.
package journal
