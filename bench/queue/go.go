// SPDX-License-Identifier: Apache-2.0
// go.go: producers and consumers as goroutines around a buffered channel.
package main

import "bench/report"

const parties, room = 4, 64

func sumOf(n uint64) uint64 {
	queue := make(chan uint64, room)
	sums := make(chan uint64)
	ended := make(chan bool)
	for which := uint64(0); which < parties; which++ {
		go func() {
			for item := n * 1000 * which / parties; item < n*1000*(which+1)/parties; item++ {
				queue <- item
			}
			ended <- true
		}()
		go func() {
			sum := uint64(0)
			for item := range queue {
				sum += item
			}
			sums <- sum
		}()
	}
	for i := 0; i < parties; i++ {
		<-ended
	}
	close(queue)
	sum := uint64(0)
	for i := 0; i < parties; i++ {
		sum += <-sums
	}
	return sum
}

func main() {
	run := report.Arguments("queue", 1_000_000)
	sumOf(4)
	items := run.N * 1000
	run.Measure(items/2*(items-1), items, func() uint64 { return sumOf(run.N) })
}
