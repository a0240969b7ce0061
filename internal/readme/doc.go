// Command readme regenerates the parts of a Markdown file that a command of
// this module printed.
//
//	go run ./internal/readme [-check] [-have COMMAND=FILE]... README.md
//
// It runs in the root of the module and replaces what stands between these
// lines and the next <!-- end -->:
//
//	<!-- lamcap ARGS -->
//
// gets the standard output of "go run ./cmd/lamcap ARGS": as it is when ARGS
// contain --format markdown, else as a fenced text block.
//
//	<!-- go test PKG -run NAME -->
//
// gets what "go test PKG -run NAME -v -count=1" printed or logged between
// lines BEGIN TABLE and END TABLE: as it is when it holds a Markdown table,
// else as a fenced text block.
//
// A block of lamcap bench shows what one run measured: it stays as it is, also
// with -check, unless -have gives another run.
//
// -check writes nothing: it prints a diff and exits 1 when the file is not
// what the commands print now. -have takes the output of a command from a
// file in place of running it, as in -have 'lamcap verify'=verify.txt, and
// may be repeated. Exit codes: 0 fine, 1 the file differs or a command
// failed, 2 wrong usage.
package main
