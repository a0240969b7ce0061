// Inbrowser checks a page of package page in a real browser.
//
//	go run ./harness/page/inbrowser [-chromium PATH] [-pictures DIR] PAGE.html
//
// It opens the page in a window of a desk in light and in dark, on two phones, without
// scripts and for paper, and checks in each that the browser has nothing to complain
// of, that nothing but the page itself is asked for, that nothing is wider than the
// window, that each figure shows its drawing for these colours, and that text stands
// out from what is behind it. Then it sorts every column by mouse and keyboard and
// compares the order with one of its own, changes the colours, and reads what is saved
// as CSV. It prints a line for each and exits with 1 if one has a problem.
package main
