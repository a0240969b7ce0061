// Package filelock keeps two processes from working in one folder. The lock is the
// kernel's (flock), which lets go of it when its process ends in whatever way: a crash
// leaves none behind. The file stays and holds who locked it last, for people alone.
//
// On a network file system the lock holds between machines where the file system passes
// it on, as NFS does on Linux; where it has no locks, taking one is an error.
package filelock
