// Converts a program from Go: main FILE VERSION
//
// CGO_CFLAGS and CGO_LDFLAGS state where shlo is: pkg-config prints them.
package main

/*
#cgo LDFLAGS: -lshlo
#include <stdlib.h>
#include "shlo/shlo.h"
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"
)

// Error is why a call failed.
type Error struct {
	Text     string
	ExitCode int
}

func (e *Error) Error() string { return e.Text }

func check(err *C.shlo_error) error {
	if err == nil {
		return nil
	}
	defer C.shlo_error_free(err)
	return &Error{C.GoString(C.shlo_error_text(err)), int(C.shlo_error_exit_code(err))}
}

// Program is a program at a version. It does not change, and any goroutine may use it.
type Program struct{ handle *C.shlo_program }

func own(handle *C.shlo_program) *Program {
	p := &Program{handle}
	runtime.SetFinalizer(p, func(p *Program) { C.shlo_program_release(p.handle) })
	return p
}

// Read reads a program of any format.
func Read(path string) (*Program, error) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	var out *C.shlo_program
	if err := check(C.shlo_program_read_file(name, nil, &out)); err != nil {
		return nil, err
	}
	return own(out), nil
}

// Convert converts to a version in any notation.
func (p *Program) Convert(version string) (*Program, error) {
	defer runtime.KeepAlive(p)
	text := C.CString(version)
	defer C.free(unsafe.Pointer(text))
	var number C.shlo_version
	if err := check(C.shlo_version_parse(text, nil, &number)); err != nil {
		return nil, err
	}
	var out *C.shlo_program
	if err := check(C.shlo_convert(p.handle, number, nil, &out, nil)); err != nil {
		return nil, err
	}
	return own(out), nil
}

// Text returns StableHLO text.
func (p *Program) Text() (string, error) {
	defer runtime.KeepAlive(p)
	var out *C.shlo_buffer
	if err := check(C.shlo_program_write(p.handle, nil, &out)); err != nil {
		return "", err
	}
	defer C.shlo_buffer_free(out)
	return C.GoStringN(C.shlo_buffer_data(out), C.int(C.shlo_buffer_size(out))), nil
}

func run(path, version string) (string, error) {
	program, err := Read(path)
	if err != nil {
		return "", err
	}
	converted, err := program.Convert(version)
	if err != nil {
		return "", err
	}
	return converted.Text()
}

func main() {
	text, err := run(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Print(err)
		code := 3
		if e, ok := err.(*Error); ok {
			code = e.ExitCode
		}
		os.Exit(code)
	}
	fmt.Print(text)
}
