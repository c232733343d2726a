// Workers predicts how long a build takes on more machines. It reads an execution
// log of the build and prints what its critical path is made of, how many actions
// could run at once, the bytes that would move, and the time on some numbers of
// workers:
//
//	./bazelw build //apis/... --disk_cache=/tmp/empty --execution_log_json_file=/tmp/log.json --noexecution_log_sort
//	go run ./tests/bench/workers /tmp/log.json
//
// Results from a cache take no time, so the build should start from nothing, with an
// empty disk cache: without any, Bazel runs an action again for each target that has it.
package main

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "workers:", err)
		os.Exit(1)
	}
}

// run prints the report of the log that is named.
func run(args []string, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("usage: workers <execution log in JSON>")
	}
	file, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	g, err := read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	g.report(out)
	return nil
}

// action is what ran.
type action struct {
	name, mnemonic string
	start, took    time.Duration // the start counts from that of the first action
	needs          []int         // the actions whose outputs it reads
	in, out        map[string]int64
	// rest is the time from its start to the end of the build, if each action has a
	// worker of its own.
	rest time.Duration
}

// graph has the actions of a build in an order in which they can run.
type graph []action

// file is an input or output in the log. Numbers of 64 bits are strings in its JSON.
type file struct {
	Path   string
	Digest struct{ Hash, SizeBytes string }
}

// read returns the actions of a log. An action needs those that made its inputs. They
// are found by content, because a path is not the same for who writes and who reads
// it where Bazel strips configurations from paths.
func read(r io.Reader) (graph, error) {
	var g graph
	made := map[string]int{} // by digest
	var inputs [][]file
	var first time.Time
	for decoder := json.NewDecoder(bufio.NewReaderSize(r, 1<<20)); ; {
		var s struct {
			Mnemonic, TargetLabel, Runner string
			CacheHit                      bool
			Inputs, ActualOutputs         []file
			Metrics                       struct {
				StartTime time.Time
				TotalTime string
			}
		}
		if err := decoder.Decode(&s); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("action %d: %w", len(g)+1, err)
		}
		a := action{name: s.Mnemonic + " " + s.TargetLabel, mnemonic: s.Mnemonic, in: sizes(s.Inputs), out: sizes(s.ActualOutputs)}
		if !s.CacheHit && s.Runner != "deduplicated" { // which waits for an action with the same key
			var err error
			if a.took, err = time.ParseDuration(s.Metrics.TotalTime); err != nil {
				return nil, fmt.Errorf("action %d, %s: totalTime: %w", len(g)+1, a.name, err)
			}
		}
		if first.IsZero() || s.Metrics.StartTime.Before(first) {
			first = s.Metrics.StartTime
		}
		a.start = time.Duration(s.Metrics.StartTime.UnixNano())
		for _, f := range s.ActualOutputs {
			if other, ok := made[f.Digest.Hash]; f.Digest.Hash != "" && (!ok || g[other].took == 0) {
				made[f.Digest.Hash] = len(g)
			}
		}
		g, inputs = append(g, a), append(inputs, s.Inputs)
	}
	if len(g) == 0 {
		return nil, errors.New("the log has no actions")
	}
	for i := range g {
		g[i].start -= time.Duration(first.UnixNano())
	}
	// An action comes after those that it needs, even if another one has made the same
	// content later.
	order := make([]int, len(g))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(g[i].start, g[j].start) })
	place := make([]int, len(g))
	for p, i := range order {
		place[i] = p
	}
	sorted := make(graph, 0, len(g))
	for p, i := range order {
		needs := map[int]bool{}
		for _, f := range inputs[i] {
			if from, ok := made[f.Digest.Hash]; ok && place[from] < p {
				needs[place[from]] = true
			}
		}
		g[i].needs = slices.Sorted(maps.Keys(needs))
		sorted = append(sorted, g[i])
	}
	return sorted.ranked(), nil
}

// sizes returns the sizes of files by their digests.
func sizes(files []file) map[string]int64 {
	found := map[string]int64{}
	for _, f := range files {
		if size, err := strconv.ParseInt(f.Digest.SizeBytes, 10, 64); err == nil {
			found[f.Digest.Hash] = size
		}
	}
	return found
}

// ranked sets the rest of each action.
func (g graph) ranked() graph {
	for i := range g {
		g[i].rest = g[i].took
	}
	for i := len(g) - 1; i >= 0; i-- { // who reads comes after who writes
		for _, n := range g[i].needs {
			g[n].rest = max(g[n].rest, g[n].took+g[i].rest)
		}
	}
	return g
}

// queue has actions that may run, those with the longest rest first.
type queue struct {
	graph
	ready []int
}

func (q *queue) Len() int           { return len(q.ready) }
func (q *queue) Less(i, j int) bool { return q.graph[q.ready[i]].rest > q.graph[q.ready[j]].rest }
func (q *queue) Swap(i, j int)      { q.ready[i], q.ready[j] = q.ready[j], q.ready[i] }
func (q *queue) Push(x any)         { q.ready = append(q.ready, x.(int)) }
func (q *queue) Pop() any {
	last := q.ready[len(q.ready)-1]
	q.ready = q.ready[:len(q.ready)-1]
	return last
}

// end is when an action ends.
type end struct {
	at     time.Duration
	action int
}

type ends []end

func (e ends) Len() int           { return len(e) }
func (e ends) Less(i, j int) bool { return e[i].at < e[j].at }
func (e ends) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *ends) Push(x any)        { *e = append(*e, x.(end)) }
func (e *ends) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// simulate returns how long the build takes on some workers, each of which runs one
// action at a time, and for how long how many of them are busy.
func (g graph) simulate(workers int) (took time.Duration, width map[int]time.Duration) {
	readers, missing := make([][]int, len(g)), make([]int, len(g))
	ready := &queue{graph: g}
	for i, a := range g {
		missing[i] = len(a.needs)
		for _, n := range a.needs {
			readers[n] = append(readers[n], i)
		}
		if missing[i] == 0 {
			heap.Push(ready, i)
		}
	}
	width = map[int]time.Duration{}
	var running ends
	for ready.Len() > 0 || running.Len() > 0 {
		for ready.Len() > 0 && running.Len() < workers {
			i := heap.Pop(ready).(int)
			heap.Push(&running, end{took + g[i].took, i})
		}
		busy := running.Len()
		e := heap.Pop(&running).(end)
		width[busy] += e.at - took
		took = e.at
		for _, r := range readers[e.action] {
			if missing[r]--; missing[r] == 0 {
				heap.Push(ready, r)
			}
		}
	}
	return took, width
}

// path returns the critical path.
func (g graph) path() []action {
	var found []action
	last := -1
	for i, a := range g {
		if last < 0 || a.rest > g[last].rest {
			last = i
		}
	}
	for last >= 0 {
		found = append(found, g[last])
		next := -1
		for i := last + 1; i < len(g); i++ {
			if slices.Contains(g[i].needs, last) && (next < 0 || g[i].rest > g[next].rest) {
				next = i
			}
		}
		last = next
	}
	return found
}

// measured returns the time from the start of the first action to the end of the last
// one. A result from a cache has the start of the action that made it.
func (g graph) measured() time.Duration {
	var first, last time.Duration
	for _, a := range g {
		if a.took > 0 {
			if last == 0 {
				first = a.start // the actions are in the order in which they started
			}
			last = max(last, a.start+a.took)
		}
	}
	return last - first
}

func (g graph) report(out io.Writer) {
	var work time.Duration
	in, made := map[string]int64{}, map[string]int64{}
	var read int64
	for _, a := range g {
		work += a.took
		maps.Copy(in, a.in)
		maps.Copy(made, a.out)
		for _, size := range a.in {
			read += size
		}
	}
	fmt.Fprintf(out, "%d actions, %.0f s of work, measured %.0f s\n", len(g), work.Seconds(), g.measured().Seconds())
	fmt.Fprintf(out, "inputs: %.0f MB, and %.0f MB if no worker keeps any; outputs: %.0f MB\n",
		mega(total(in)), mega(read), mega(total(made)))
	fmt.Fprintf(out, "\nworkers      time   busy\n")
	for _, n := range []int{1, 2, 8, 64} {
		took, _ := g.simulate(n)
		fmt.Fprintf(out, "%7d %7.0f s  %4.0f %%\n", n, took.Seconds(), 100*work.Seconds()/took.Seconds()/float64(n))
	}
	_, width := g.simulate(len(g))
	fmt.Fprintf(out, "\nwith a worker for each action, how many run at once:\n")
	for _, band := range [][2]int{{1, 1}, {2, 7}, {8, 63}, {64, len(g)}} {
		var sum time.Duration
		for n, d := range width {
			if band[0] <= n && n <= band[1] {
				sum += d
			}
		}
		fmt.Fprintf(out, "%4d to %-4d %7.1f s\n", band[0], band[1], sum.Seconds())
	}
	path := g.path()
	by := map[string]time.Duration{}
	for _, a := range path {
		by[a.mnemonic] += a.took
	}
	fmt.Fprintf(out, "\nthe critical path: %.1f s, %d actions\n", path[0].rest.Seconds(), len(path))
	for _, m := range slices.SortedFunc(maps.Keys(by), func(x, y string) int { return cmp.Compare(by[y], by[x]) }) {
		fmt.Fprintf(out, "%7.1f s  %s\n", by[m].Seconds(), m)
	}
	fmt.Fprintf(out, "its longest:\n")
	slices.SortStableFunc(path, func(x, y action) int { return cmp.Compare(y.took, x.took) })
	for _, a := range path[:min(10, len(path))] {
		fmt.Fprintf(out, "%7.1f s  %s\n", a.took.Seconds(), strings.TrimSpace(a.name))
	}
}

func total(sizes map[string]int64) int64 {
	var sum int64
	for _, size := range sizes {
		sum += size
	}
	return sum
}

func mega(bytes int64) float64 { return float64(bytes) / 1e6 }
