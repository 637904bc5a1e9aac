// SPDX-License-Identifier: Apache-2.0
// go.go: an echo server with a goroutine for each connection; prints its port first. It ends when
// its standard input does.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
)

func serve(caller net.Conn) {
	defer caller.Close()
	text := make([]byte, 1024)
	for {
		got, err := caller.Read(text)
		if err != nil {
			return
		}
		if _, err := caller.Write(text[:got]); err != nil {
			return
		}
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	go func() {
		for {
			caller, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(caller)
		}
	}()
	io.Copy(io.Discard, os.Stdin)
}
