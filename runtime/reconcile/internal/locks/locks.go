// Package locks provides a lock for each key.
package locks

import "sync"

// Locks holds a lock for each key. The zero value is ready to use.
type Locks struct {
	mutex sync.Mutex
	held  map[any]*lock
}

type lock struct {
	sync.Mutex
	users int
}

// Lock locks a key, and returns the function that unlocks it.
func (l *Locks) Lock(key any) (unlock func()) {
	l.mutex.Lock()
	if l.held == nil {
		l.held = map[any]*lock{}
	}
	k := l.held[key]
	if k == nil {
		k = new(lock)
		l.held[key] = k
	}
	k.users++
	l.mutex.Unlock()
	k.Lock()
	return func() { l.unlock(key, k) }
}

func (l *Locks) unlock(key any, k *lock) {
	k.Unlock()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if k.users--; k.users == 0 {
		delete(l.held, key)
	}
}
