// SPDX-License-Identifier: Apache-2.0
// Package report is report.h for the Go benchmarks: same arguments, same exit statuses, same line.
package report

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

type Run struct {
	problem string
	workers uint64
	N       uint64
}

// Arguments reads `<workers> <n>`, or ends the program with a sentence and status 2.
func Arguments(problem string, nMax uint64) Run {
	if len(os.Args) != 3 {
		fmt.Fprintf(os.Stderr, "%s/go: give two arguments, <workers> <n>\n", problem)
		os.Exit(2)
	}
	run := Run{problem, number(problem, "workers", os.Args[1], 1024),
		number(problem, "n", os.Args[2], nMax)}
	runtime.GOMAXPROCS(int(run.workers))
	return run
}

func number(problem, name, text string, most uint64) uint64 {
	value, err := strconv.ParseUint(text, 10, 64)
	if err != nil || value < 1 || value > most {
		fmt.Fprintf(os.Stderr, "%s/go: %s must be a number from 1 to %d, not '%s'\n", problem, name,
			most, text)
		os.Exit(2)
	}
	return value
}

// Measure times one call of body, which returns the answer; verifies it, then prints the line.
func (run Run) Measure(answer, tasks uint64, body func() uint64) {
	start := time.Now()
	found := body()
	seconds := time.Since(start).Seconds()
	if found != answer {
		fmt.Fprintf(os.Stderr, "%s/go: wrong answer for n = %d: %d instead of %d\n", run.problem,
			run.N, found, answer)
		os.Exit(1)
	}
	fmt.Printf("%s,go,%s,%d,%d,%.9f,%d,%.3f,%d\n", run.problem, runtime.Version(), run.workers,
		run.N, seconds, tasks, seconds*1e9/float64(tasks), rssKiB())
}

// rssKiB says how much memory this program had resident at most; 0 where the kernel does not say.
func rssKiB() (kib uint64) {
	status, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(status), "\n") {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "VmHWM:" {
			kib, _ = strconv.ParseUint(words[1], 10, 64)
		}
	}
	return kib
}
