// Package basket holds what is to be bought.
package basket

import (
	"errors"
	"sort"
)

// Limit is the most that fits in.
const Limit = 40

var errFull = errors.New("no room")

type (
	// Basket is what is in the basket.
	Basket struct {
		counts map[string]int
		paid   bool
	}

	// Payer pays.
	Payer interface {
		Pay(total int) error
	}
)

// Add puts more of a thing in.
func (b *Basket) Add(thing string, n int) error {
	if b.Total()+n > Limit {
		return errFull
	}
	b.counts[thing] += n
	return nil
}

// Total counts all things.
func (b *Basket) Total() int {
	total := 0
	for _, count := range b.counts {
		total += count
	}
	return total
}

func names(b *Basket) []string {
	var names []string
	for name := range b.counts {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
