// SPDX-License-Identifier: Apache-2.0
// go.go: the rows of terrane.cpp that goroutines have, on one processor.
package main

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"sort"
	"strconv"
	"sync"
	"syscall"
)

const many = 1_000_000

// cpuTime says for how many nanoseconds this process has had a processor.
func cpuTime() int64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return used.Utime.Nano() + used.Stime.Nano()
}

func row(operation string, rounds int, body func(count int)) {
	ns := make([]float64, 0, rounds)
	for i := 0; i < rounds; i++ {
		start := cpuTime()
		body(many)
		ns = append(ns, float64(cpuTime()-start)/many)
	}
	sort.Float64s(ns)
	fmt.Printf("%s,%.2f\n", operation, ns[rounds/2])
}

func pair(count int, work func(times, mine int)) {
	var both sync.WaitGroup
	both.Add(2)
	for mine := 0; mine < 2; mine++ {
		go func(mine int) { defer both.Done(); work(count/2, mine) }(mine)
	}
	both.Wait()
}

func main() {
	runtime.GOMAXPROCS(1)
	rounds := 7
	if len(os.Args) > 1 {
		rounds, _ = strconv.Atoi(os.Args[1])
	}
	ran := 0
	row("null thread", rounds, func(count int) {
		done := make(chan struct{})
		for i := 0; i < count; i++ {
			go func() { ran++; done <- struct{}{} }()
			<-done
		}
	})
	if ran != rounds*many {
		panic("threads run")
	}
	row("context switch", rounds, func(count int) {
		pair(count, func(times, mine int) {
			for i := 0; i < times; i++ {
				runtime.Gosched()
			}
		})
	})
	var lock sync.Mutex
	row("uncontested mutex", rounds, func(count int) {
		for i := 0; i < count; i++ {
			lock.Lock()
			lock.Unlock()
		}
	})
	lock.Lock()
	row("mutex try", rounds, func(count int) {
		for i := 0; i < count; i++ {
			if lock.TryLock() {
				panic("tries that must fail")
			}
		}
	})
	lock.Unlock()
	turn := 0
	changed := [2]*sync.Cond{sync.NewCond(&lock), sync.NewCond(&lock)}
	row("mutex ping-pong", rounds, func(count int) {
		pair(count, func(times, mine int) {
			lock.Lock()
			for i := 0; i < times; i++ {
				for turn != mine {
					changed[mine].Wait()
				}
				turn = 1 - mine
				changed[1-mine].Signal()
			}
			lock.Unlock()
		})
	})
	row("channel hand-off", rounds, func(count int) {
		items := make(chan int)
		go func() {
			for i := 0; i < count; i++ {
				items <- i
			}
			close(items)
		}()
		sum := 0
		for each := range items {
			sum += each
		}
		if sum != count*(count-1)/2 {
			panic("items handed off")
		}
	})
	for _, ends := range []int{2, 8, 64} {
		row(fmt.Sprintf("alt over %d", ends), rounds, func(count int) { chooseAmong(ends, count) })
	}
}

// chooseAmong: one goroutine sends round all channels in turn, the other selects among them.
func chooseAmong(ends, count int) {
	all := make([]chan int, ends)
	cases := make([]reflect.SelectCase, ends)
	for i := range all {
		all[i] = make(chan int)
		cases[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(all[i])}
	}
	go func() {
		for i := 0; i < count; i++ {
			all[i%ends] <- i
		}
	}()
	sum := 0
	for i := 0; i < count; i++ {
		_, item, _ := reflect.Select(cases)
		sum += int(item.Int())
	}
	if sum != count*(count-1)/2 {
		panic("items chosen")
	}
}
