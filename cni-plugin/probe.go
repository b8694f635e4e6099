package main

import (
	"fmt"
	"net"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// The kernel asks again after a second only (arp(7), retrans_time_ms), longer than a pod takes to be attached.
const probeInterval = 25 * time.Millisecond

type probe struct {
	Gateways []string `json:"gateways"`
	// In milliseconds.
	Timeout int `json:"timeout"`
}

// take resolves the gateways from within the pod, until each has answered.
func (wanted *probe) take(asked request) error {
	unanswered := map[string]bool{}
	for _, text := range wanted.Gateways {
		unanswered[text] = true
	}
	return insideNamespace(asked, func() error {
		link, err := netlink.LinkByName(asked.Interface)
		if err != nil {
			return err
		}
		updates := make(chan netlink.NeighUpdate, 64)
		end := make(chan struct{})
		defer close(end)
		if err := netlink.NeighSubscribe(updates, end); err != nil {
			return err
		}
		if err := askAll(link, unanswered); err != nil {
			return err
		}
		deadline := time.After(time.Duration(wanted.Timeout) * time.Millisecond)
		again := time.NewTicker(probeInterval)
		defer again.Stop()
		for len(unanswered) > 0 {
			select {
			case update, isOpen := <-updates:
				// The kernel ends it where it had more to say than was read: what was lost, asking again brings.
				if !isOpen {
					updates = make(chan netlink.NeighUpdate, 64)
					if err := netlink.NeighSubscribe(updates, end); err != nil {
						return fmt.Errorf("cannot follow neighbours again: %w", err)
					}
					continue
				}
				if update.LinkIndex == link.Attrs().Index && update.State&unix.NUD_REACHABLE != 0 {
					delete(unanswered, update.IP.String())
				}
			case <-again.C:
				if err := askAll(link, unanswered); err != nil {
					return err
				}
			case <-deadline:
				return reasonError{"no-answer", fmt.Errorf("no answer within %d ms from %d of %d gateways",
					wanted.Timeout, len(unanswered), len(wanted.Gateways))}
			}
		}
		return nil
	})
}

func askAll(link netlink.Link, addresses map[string]bool) error {
	for address := range addresses {
		if err := ask(link, address); err != nil {
			return fmt.Errorf("cannot resolve %s: %w", address, err)
		}
	}
	return nil
}

// ask has the kernel send a request, whether or not it has sent one before.
func ask(link netlink.Link, address string) error {
	ip := net.ParseIP(address)
	if ip == nil {
		return fmt.Errorf("%q is not an address", address)
	}
	entry := &netlink.Neigh{LinkIndex: link.Attrs().Index, IP: ip}
	// It is missing the first time.
	_ = netlink.NeighDel(entry)
	entry.Flags = unix.NTF_USE
	return netlink.NeighSet(entry)
}
