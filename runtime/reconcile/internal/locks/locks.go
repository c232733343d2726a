// Package locks has locks by a key.
package locks

import "sync"

// Locks are locks by a key. The zero value has none.
type Locks struct {
	mutex sync.Mutex
	held  map[any]*lock
}

type lock struct {
	sync.Mutex
	users int
}

// Try locks a key if it is not locked.
func (l *Locks) Try(key any) (unlock func(), ok bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.held[key] != nil {
		return nil, false
	}
	k := l.use(key)
	k.Lock() // which nobody else knows yet
	return func() { l.unlock(key, k) }, true
}

// Lock locks a key, and returns what unlocks it.
func (l *Locks) Lock(key any) (unlock func()) {
	l.mutex.Lock()
	k := l.use(key)
	l.mutex.Unlock()
	k.Lock()
	return func() { l.unlock(key, k) }
}

// use returns the lock of a key, for one more user. The caller has the mutex.
func (l *Locks) use(key any) *lock {
	if l.held == nil {
		l.held = map[any]*lock{}
	}
	k := l.held[key]
	if k == nil {
		k = new(lock)
		l.held[key] = k
	}
	k.users++
	return k
}

func (l *Locks) unlock(key any, k *lock) {
	k.Unlock()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if k.users--; k.users == 0 {
		delete(l.held, key)
	}
}
