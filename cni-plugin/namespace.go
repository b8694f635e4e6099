package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// The link alias of interfaces that ovn-uplinks makes begins with this (docs/design/ownership.md, "Three rules").
const aliasPrefix = "ovn-uplinks:"

type route struct {
	Destination string `json:"destination"`
	Gateway     string `json:"gateway"`
	// Name of the interface; empty for the one that is attached.
	Interface string `json:"interface"`
}

type attach struct {
	HostInterface string   `json:"hostInterface"`
	MAC           string   `json:"mac"`
	MTU           int      `json:"mtu"`
	Alias         string   `json:"alias"`
	Addresses     []string `json:"addresses"`
	Routes        []route  `json:"routes"`
	// Of what has an address of their interface as its source.
	Answers      []route           `json:"answers"`
	IPv6Settings map[string]string `json:"ipv6Settings"`
}

type observed struct {
	// Absent if there is no such interface.
	Link *observedLink `json:"link,omitempty"`
	// The others, without loopback.
	Interfaces []otherInterface `json:"interfaces"`
	// Of all interfaces.
	Routes []route `json:"routes"`
	// Of what has an address of their interface as its source.
	Answers []route `json:"answers"`
}

type otherInterface struct {
	Name string `json:"name"`
	// Absent if its other end is not on the host.
	Peer *hostInterface `json:"peer,omitempty"`
	// Of this end, and the index that it has for the other one.
	index, peerIndex int
}

type hostInterface struct {
	Name  string `json:"name"`
	Index int    `json:"index"`
}

type observedLink struct {
	MAC       string   `json:"mac"`
	MTU       int      `json:"mtu"`
	Alias     string   `json:"alias"`
	IsUp      bool     `json:"isUp"`
	Addresses []string `json:"addresses"`
}

// openNamespace opens the network namespace of a pod, which is never that of the host.
func openNamespace(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, reasonError{"no-namespace", err}
	}
	var of, own unix.Stat_t
	var system unix.Statfs_t
	if err := errors.Join(unix.Fstatfs(int(file.Fd()), &system), unix.Fstat(int(file.Fd()), &of)); err != nil {
		file.Close()
		return nil, reasonError{"no-namespace", err}
	}
	if system.Type != unix.NSFS_MAGIC {
		file.Close()
		return nil, reasonError{"no-namespace", fmt.Errorf("%s is not a network namespace", path)}
	}
	if err := unix.Stat("/proc/self/ns/net", &own); err != nil {
		file.Close()
		return nil, err
	}
	if of.Ino == own.Ino && of.Dev == own.Dev {
		file.Close()
		return nil, reasonError{"no-namespace", fmt.Errorf("%s is the network namespace of the host", path)}
	}
	return file, nil
}

// inside runs a function in a network namespace, on this thread.
func inside(namespace *os.File, work func() error) error {
	own, err := os.Open("/proc/thread-self/ns/net")
	if err != nil {
		return err
	}
	defer own.Close()
	if err := unix.Setns(int(namespace.Fd()), unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("cannot enter the namespace: %w", err)
	}
	result := work()
	if err := unix.Setns(int(own.Fd()), unix.CLONE_NEWNET); err != nil {
		return errors.Join(result, fmt.Errorf("cannot leave the namespace: %w", err))
	}
	return result
}

func insideNamespace(asked request, work func() error) error {
	namespace, err := openNamespace(asked.Namespace)
	if err != nil {
		return err
	}
	defer namespace.Close()
	return inside(namespace, work)
}

func isMissing(err error) bool {
	var missing netlink.LinkNotFoundError
	return errors.As(err, &missing)
}

// take creates a pair of interfaces, one on the host and one in the pod, and configures the latter. After a failure nothing
// is left of it.
func (wanted *attach) take(asked request) error {
	mac, err := net.ParseMAC(wanted.MAC)
	if err != nil {
		return err
	}
	namespace, err := openNamespace(asked.Namespace)
	if err != nil {
		return err
	}
	defer namespace.Close()
	err = inside(namespace, func() error {
		if _, err := netlink.LinkByName(asked.Interface); err == nil {
			return reasonError{"interface-exists", fmt.Errorf("there is an interface %s in the namespace", asked.Interface)}
		} else if !isMissing(err) {
			return err
		}
		return nil
	})
	if err != nil {
		return err
	}
	attributes := netlink.NewLinkAttrs()
	attributes.Name = wanted.HostInterface
	attributes.MTU = wanted.MTU
	pair := &netlink.Veth{
		LinkAttrs:        attributes,
		PeerName:         asked.Interface,
		PeerHardwareAddr: mac,
		PeerNamespace:    netlink.NsFd(namespace.Fd()),
		PeerMTU:          uint32(wanted.MTU),
	}
	if err := netlink.LinkAdd(pair); err != nil {
		return fmt.Errorf("cannot create the pair %s and %s: %w", wanted.HostInterface, asked.Interface, err)
	}
	err = inside(namespace, func() error { return wanted.configure(asked.Interface) })
	if err == nil {
		err = errors.Join(netlink.LinkSetAlias(pair, wanted.Alias), netlink.LinkSetUp(pair))
	}
	if err != nil {
		return errors.Join(err, netlink.LinkDel(pair))
	}
	return nil
}

func (wanted *attach) configure(name string) error {
	link, err := netlink.LinkByName(name)
	if err != nil {
		return err
	}
	if err := netlink.LinkSetAlias(link, wanted.Alias); err != nil {
		return fmt.Errorf("cannot set the alias of %s: %w", name, err)
	}
	for key, value := range wanted.IPv6Settings {
		if err := setIPv6(name, key, value); err != nil {
			return err
		}
	}
	for _, text := range wanted.Addresses {
		address, err := netlink.ParseAddr(text)
		if err != nil {
			return fmt.Errorf("address %q: %w", text, err)
		}
		// No other pod has it, and detection of duplicates takes a second.
		if address.IP.To4() == nil {
			address.Flags = unix.IFA_F_NODAD
		}
		if err := netlink.AddrAdd(link, address); err != nil {
			return fmt.Errorf("cannot add address %s: %w", text, err)
		}
	}
	if err := netlink.LinkSetUp(link); err != nil {
		return fmt.Errorf("cannot set %s up: %w", name, err)
	}
	for _, each := range wanted.Routes {
		if err := each.add(link); err != nil {
			return fmt.Errorf("cannot add route %s via %s: %w", each.Destination, each.Gateway, err)
		}
	}
	for _, each := range wanted.Answers {
		if err := each.addForAnswers(); err != nil {
			return fmt.Errorf("cannot add route %s via %s for answers by %s: %w", each.Destination, each.Gateway, each.Interface, err)
		}
	}
	return nil
}

// Of the table in the namespace of a pod with the routes of answers, and the priority of the rules that lead there.
const answerTable = 1006

// addForAnswers adds a route that only packets from an address of its interface use (ip-rule(8)). Those of one family and
// interface are together in one table.
func (wanted route) addForAnswers() error {
	link, err := netlink.LinkByName(wanted.Interface)
	if err != nil {
		return err
	}
	_, destination, err := net.ParseCIDR(wanted.Destination)
	if err != nil {
		return err
	}
	added := netlink.Route{LinkIndex: link.Attrs().Index, Dst: destination, Table: answerTable}
	if wanted.Gateway == "" {
		added.Scope = netlink.SCOPE_LINK
	} else if added.Gw = net.ParseIP(wanted.Gateway); added.Gw == nil {
		return fmt.Errorf("%q is not an address", wanted.Gateway)
	} else {
		// A gateway need not be in a subnet of the interface.
		added.Flags = int(netlink.FLAG_ONLINK)
	}
	if err := netlink.RouteReplace(&added); err != nil {
		return err
	}
	rules, err := answerRules(link, familyOf(destination.IP))
	if err != nil {
		return err
	}
	for _, rule := range rules {
		if err := netlink.RuleAdd(rule); err != nil && !errors.Is(err, unix.EEXIST) {
			return err
		}
	}
	return nil
}

// answerRules lists the rules by which packets from the addresses of an interface use the routes of answers.
func answerRules(link netlink.Link, family int) ([]*netlink.Rule, error) {
	addresses, err := addressesOf(link, family)
	rules := []*netlink.Rule{}
	for _, address := range addresses {
		if address.IP.IsLinkLocalUnicast() {
			continue
		}
		rule := netlink.NewRule()
		rule.Family, rule.Priority, rule.Table = family, answerTable, answerTable
		bits := 8 * len(address.IPNet.Mask)
		rule.Src = &net.IPNet{IP: address.IP, Mask: net.CIDRMask(bits, bits)}
		rules = append(rules, rule)
	}
	return rules, err
}

// observeAnswers lists the routes of answers that all addresses of their interfaces use.
func observeAnswers() ([]route, error) {
	found := []route{}
	routes, err := listed(func() ([]netlink.Route, error) {
		return netlink.RouteListFiltered(netlink.FAMILY_ALL, &netlink.Route{Table: answerTable}, netlink.RT_FILTER_TABLE)
	})
	if err != nil {
		return nil, err
	}
	rules, err := listed(func() ([]netlink.Rule, error) { return netlink.RuleList(netlink.FAMILY_ALL) })
	if err != nil {
		return nil, err
	}
	for _, each := range routes {
		out, err := netlink.LinkByIndex(each.LinkIndex)
		if err != nil {
			// It is gone meanwhile, or the route has no interface.
			continue
		}
		wanted, err := answerRules(out, each.Family)
		if err != nil {
			return nil, err
		}
		isThere := func(rule *netlink.Rule) bool {
			return slices.ContainsFunc(rules, func(other netlink.Rule) bool {
				return other.Priority == rule.Priority && other.Table == rule.Table && other.Src != nil &&
					other.Src.String() == rule.Src.String()
			})
		}
		if len(wanted) > 0 && !slices.ContainsFunc(wanted, func(rule *netlink.Rule) bool { return !isThere(rule) }) {
			found = append(found, route{destinationOf(each), gatewayOf(each), out.Attrs().Name})
		}
	}
	return found, nil
}

func familyOf(address net.IP) int {
	if address.To4() == nil {
		return netlink.FAMILY_V6
	}
	return netlink.FAMILY_V4
}

func addressesOf(link netlink.Link, family int) ([]netlink.Addr, error) {
	return listed(func() ([]netlink.Addr, error) { return netlink.AddrList(link, family) })
}

// listed lists what the kernel has, anew where that changes meanwhile (netlink(7), NLM_F_DUMP_INTR).
func listed[Item any](list func() ([]Item, error)) ([]Item, error) {
	for attempt := 0; ; attempt++ {
		items, err := list()
		if !errors.Is(err, netlink.ErrDumpInterrupted) || attempt == 10 {
			return items, err
		}
	}
}

var settingName = regexp.MustCompile(`^[a-z0-9_]+$`)

// setIPv6 sets a sysctl of an interface, whose name the kernel has accepted: it has no slash.
func setIPv6(name, key, value string) error {
	if !settingName.MatchString(key) {
		return fmt.Errorf("setting %q is not known", key)
	}
	// The kernel may have been started without IPv6.
	err := os.WriteFile(filepath.Join("/proc/sys/net/ipv6/conf", name, key), []byte(value), 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// add adds a route, in the place of one to the same destination if that has the same metric.
func (wanted route) add(link netlink.Link) error {
	_, destination, err := net.ParseCIDR(wanted.Destination)
	if err != nil {
		return err
	}
	if wanted.Interface != "" {
		if link, err = netlink.LinkByName(wanted.Interface); err != nil {
			return err
		}
	}
	added := netlink.Route{LinkIndex: link.Attrs().Index, Dst: destination}
	if wanted.Gateway == "" {
		added.Scope = netlink.SCOPE_LINK
	} else if added.Gw = net.ParseIP(wanted.Gateway); added.Gw == nil {
		return fmt.Errorf("%q is not an address", wanted.Gateway)
	}
	return netlink.RouteReplace(&added)
}

// detach deletes the interface in the pod, and with it its peer on the host. Nothing to delete is a success, and so is an
// interface that ovn-uplinks has not made.
func detach(asked request) error {
	if asked.Namespace == "" || asked.Interface == "" {
		return nil
	}
	err := insideNamespace(asked, func() error {
		link, err := netlink.LinkByName(asked.Interface)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(link.Attrs().Alias, aliasPrefix) {
			return nil
		}
		return netlink.LinkDel(link)
	})
	var known reasonError
	if isMissing(err) || errors.As(err, &known) && known.reason == "no-namespace" {
		return nil
	}
	return err
}

func observe(asked request) (*observed, error) {
	found := &observed{Interfaces: []otherInterface{}, Routes: []route{}, Answers: []route{}}
	namespace, err := openNamespace(asked.Namespace)
	if err != nil {
		return nil, err
	}
	defer namespace.Close()
	err = inside(namespace, func() error {
		link, err := netlink.LinkByName(asked.Interface)
		if err == nil {
			found.Link, err = observeLink(link)
		} else if isMissing(err) {
			err = nil
		}
		if err != nil {
			return err
		}
		if found.Interfaces, err = otherInterfaces(asked.Interface); err != nil {
			return err
		}
		if found.Answers, err = observeAnswers(); err != nil {
			return err
		}
		routes, err := listed(func() ([]netlink.Route, error) { return netlink.RouteList(nil, netlink.FAMILY_ALL) })
		if err != nil {
			return err
		}
		for _, each := range routes {
			// It is gone meanwhile, or the route has no interface.
			if out, err := netlink.LinkByIndex(each.LinkIndex); err == nil {
				found.Routes = append(found.Routes, route{destinationOf(each), gatewayOf(each), out.Attrs().Name})
			}
		}
		return nil
	})
	if err == nil {
		err = findPeers(namespace, found.Interfaces)
	}
	return found, err
}

// otherInterfaces lists the interfaces of this namespace but loopback and the one with a name.
func otherInterfaces(name string) ([]otherInterface, error) {
	links, err := listed(netlink.LinkList)
	others := []otherInterface{}
	for _, link := range links {
		attributes := link.Attrs()
		if attributes.Name != name && attributes.Flags&net.FlagLoopback == 0 {
			others = append(others, otherInterface{
				Name: attributes.Name, index: attributes.Index, peerIndex: attributes.ParentIndex,
			})
		}
	}
	return others, err
}

// findPeers looks on the host for the other ends of a namespace's interfaces. An interface on another one of the host, such as
// a macvlan, has an index of it too, but is not its other end.
func findPeers(namespace *os.File, interfaces []otherInterface) error {
	for at := range interfaces {
		each := &interfaces[at]
		if each.peerIndex == 0 {
			continue
		}
		link, err := netlink.LinkByIndex(each.peerIndex)
		if isMissing(err) {
			continue
		} else if err != nil {
			return err
		}
		// The namespace has its number once an interface that leads there was asked for.
		id, err := netlink.GetNetNsIdByFd(int(namespace.Fd()))
		if err != nil {
			return err
		}
		attributes := link.Attrs()
		if attributes.ParentIndex == each.index && attributes.NetNsID == id && id >= 0 {
			each.Peer = &hostInterface{attributes.Name, attributes.Index}
		}
	}
	return nil
}

func observeLink(link netlink.Link) (*observedLink, error) {
	attributes := link.Attrs()
	found := &observedLink{
		MAC: attributes.HardwareAddr.String(), MTU: attributes.MTU, Alias: attributes.Alias,
		IsUp: attributes.Flags&net.FlagUp != 0, Addresses: []string{},
	}
	addresses, err := addressesOf(link, netlink.FAMILY_ALL)
	for _, address := range addresses {
		found.Addresses = append(found.Addresses, address.IPNet.String())
	}
	return found, err
}

func destinationOf(each netlink.Route) string {
	switch {
	case each.Dst != nil:
		return each.Dst.String()
	case each.Family == netlink.FAMILY_V6:
		return "::/0"
	default:
		return "0.0.0.0/0"
	}
}

func gatewayOf(each netlink.Route) string {
	if each.Gw == nil {
		return ""
	}
	return each.Gw.String()
}
