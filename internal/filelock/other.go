//go:build !unix || solaris || illumos || aix

package filelock

import (
	"errors"
	"os"
)

func try(*os.File, bool) (bool, error) {
	return false, errors.New("this system has no flock: want Linux, macOS or a BSD")
}
