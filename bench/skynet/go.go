// SPDX-License-Identifier: Apache-2.0
// go.go: skynet with a goroutine for each node, and a channel for each answer.
package main

import "bench/report"

func sumBelow(to chan uint64, first, leaves uint64) {
	if leaves == 1 {
		to <- first
		return
	}
	found := make(chan uint64)
	each := leaves / 10
	for which := uint64(0); which < 10; which++ {
		go sumBelow(found, first+which*each, each)
	}
	sum := uint64(0)
	for which := 0; which < 10; which++ {
		sum += <-found
	}
	to <- sum
}

func sumOf(leaves uint64) uint64 {
	answer := make(chan uint64)
	go sumBelow(answer, 0, leaves)
	return <-answer
}

func main() {
	run := report.Arguments("skynet", 9)
	sumOf(1000)
	leaves := uint64(1)
	for i := uint64(0); i < run.N; i++ {
		leaves *= 10
	}
	run.Measure(leaves/2*(leaves-1), (10*leaves-1)/9, func() uint64 { return sumOf(leaves) })
}
