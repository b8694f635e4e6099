// ovn-uplinks-cni is the CNI plugin of ovn-uplinks (CNI specification 1.1.0, section 2).
//
// It decides nothing: it passes its input to the agent of the node, carries out in the namespace of the pod what the agent
// replies, and prints the agent's result. It alone enters that namespace, as the runtime starts it with all privileges,
// which the agent does not have. Messages are described in src/domain/cni/messages.ts.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
)

// Versions of the specification, oldest first.
var supportedVersions = []string{"0.3.1", "0.4.0", "1.0.0", "1.1.0"}

// A network configuration is a few hundred bytes; with the result of earlier plugins a few thousand.
const maxConfigBytes = 1 << 20

// Error codes of the specification (section 5, Error).
const (
	ioFailure       = 5
	decodingFailure = 6
	tryAgainLater   = 11
	notAvailable    = 50
)

type pluginError struct {
	CNIVersion string `json:"cniVersion"`
	Code       int    `json:"code"`
	Message    string `json:"msg"`
	Details    string `json:"details,omitempty"`
}

// printed writes the result of the plugin. Without it the runtime learns nothing, so a failure is a failure of the plugin.
func printed(text string, exitStatus int) int {
	if text == "" {
		return exitStatus
	}
	if _, err := fmt.Fprintln(os.Stdout, text); err != nil {
		return 1
	}
	return exitStatus
}

func failed(version string, code int, message string, details error) int {
	if version == "" {
		version = supportedVersions[len(supportedVersions)-1]
	}
	text, _ := json.Marshal(pluginError{version, code, message, details.Error()})
	return printed(string(text), 1)
}

// version returns the version in a network configuration; empty if there is none.
func version(config []byte) (string, error) {
	var parsed struct {
		CNIVersion string `json:"cniVersion"`
	}
	err := json.Unmarshal(config, &parsed)
	return parsed.CNIVersion, err
}

// printVersions needs no configuration: the specification has nothing on standard input for VERSION, and libcni only the version.
func printVersions(config []byte) int {
	requested, err := version(config)
	if err != nil && len(bytes.TrimSpace(config)) > 0 {
		return failed("", decodingFailure, "cannot decode the version on standard input", err)
	}
	if requested == "" {
		requested = supportedVersions[len(supportedVersions)-1]
	}
	text, _ := json.Marshal(map[string]any{"cniVersion": requested, "supportedVersions": supportedVersions})
	return printed(string(text), 0)
}

func run() int {
	config, err := io.ReadAll(io.LimitReader(os.Stdin, maxConfigBytes+1))
	if err != nil {
		return failed("", ioFailure, "cannot read the network configuration from standard input", err)
	}
	if len(config) > maxConfigBytes {
		return failed("", decodingFailure, "the network configuration is too long",
			fmt.Errorf("standard input has more than %d bytes", maxConfigBytes))
	}
	asked := request{
		Protocol:    protocolVersion,
		Command:     os.Getenv("CNI_COMMAND"),
		ContainerID: os.Getenv("CNI_CONTAINERID"),
		Namespace:   os.Getenv("CNI_NETNS"),
		Interface:   os.Getenv("CNI_IFNAME"),
		Arguments:   os.Getenv("CNI_ARGS"),
		Config:      string(config),
	}
	if asked.Command == "VERSION" {
		return printVersions(config)
	}
	result, err := exchange(asked)
	if err == nil {
		return printed(result.Output, result.ExitStatus)
	}
	// A malformed configuration has no version.
	version, _ := version(config)
	return withoutAgent(asked, version, err)
}

// withoutAgent is the result while the agent does not run, as during its upgrade.
func withoutAgent(asked request, version string, cause error) int {
	const message = "the agent of ovn-uplinks on this node does not answer"
	switch asked.Command {
	case "DEL":
		// It must succeed as far as possible (section 2, DEL): pods could not be deleted without an agent otherwise, not even
		// to remove the agent. The address is not allocated again before the agent has found that the interface is gone.
		if err := detach(asked); err != nil {
			return failed(version, tryAgainLater, message, fmt.Errorf("%w; %w", cause, err))
		}
		fmt.Fprintf(os.Stderr, "%s (%v): only the interface is deleted\n", message, cause)
		return 0
	case "STATUS":
		return failed(version, notAvailable, message, cause)
	default:
		return failed(version, tryAgainLater, message, cause)
	}
}

func main() {
	// Threads have namespaces: this one enters that of the pod and comes back.
	runtime.LockOSThread()
	os.Exit(run())
}
