// Package devtools drives a Chromium browser without a window through the pipe of its
// DevTools protocol, for checks of pages as a reader's browser shows them: at a size,
// in light or dark, with or without scripts, with true clicks and keys, and with all
// that the page said to the console or asked of the network.
//
// References:
//
//	[CDP]  Chrome DevTools Protocol, https://chromedevtools.github.io/devtools-protocol/
package devtools
