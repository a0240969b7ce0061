package main

import (
	"context"
	"os/signal"
	"syscall"
)

// interruptible returns a context that the first SIGINT or SIGTERM ends, so that
// what was computed can be saved. A second one kills: some work, as drawing an
// instance, does not look at the context.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
