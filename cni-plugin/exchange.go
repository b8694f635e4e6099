package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"time"
)

const protocolVersion = 2

const defaultSocket = "/run/ovn-uplinks/cni.sock"

// Kubelet gives up after two minutes (KubeletConfiguration, runtimeRequestTimeout).
const timeLimit = 110 * time.Second

const maxMessageBytes = 4 << 20

type request struct {
	Protocol    int    `json:"protocol"`
	Command     string `json:"command"`
	ContainerID string `json:"containerId"`
	Namespace   string `json:"netns"`
	Interface   string `json:"ifname"`
	Arguments   string `json:"args"`
	Config      string `json:"config"`
}

// step is what the agent replies: an action, or the result of the plugin.
type step struct {
	Step   string  `json:"step"`
	Attach *attach `json:"attach"`
	Probe  *probe  `json:"probe"`
	Finish *finish `json:"finish"`
}

type finish struct {
	ExitStatus int    `json:"exitStatus"`
	Output     string `json:"output"`
}

// outcome is what came of an action.
type outcome struct {
	Done     bool      `json:"done"`
	Reason   string    `json:"reason,omitempty"`
	Error    string    `json:"error,omitempty"`
	Observed *observed `json:"observed,omitempty"`
}

// A reason by which the agent selects the error code; other failures have none.
type reasonError struct {
	reason string
	error
}

func outcomeOf(found *observed, err error) outcome {
	if err == nil {
		return outcome{Done: true, Observed: found}
	}
	var known reasonError
	errors.As(err, &known)
	return outcome{Reason: known.reason, Error: err.Error()}
}

// exchange sends a request to the agent and takes the steps that it replies, until the last one.
func exchange(asked request) (finish, error) {
	path := os.Getenv("OVN_UPLINKS_CNI_SOCKET")
	if path == "" {
		path = defaultSocket
	}
	connection, err := net.Dial("unix", path)
	if err != nil {
		return finish{}, err
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(timeLimit)); err != nil {
		return finish{}, err
	}
	writer := json.NewEncoder(connection)
	if err := writer.Encode(asked); err != nil {
		return finish{}, err
	}
	lines := bufio.NewScanner(connection)
	lines.Buffer(nil, maxMessageBytes)
	for lines.Scan() {
		var next step
		if err := json.Unmarshal(lines.Bytes(), &next); err != nil {
			return finish{}, fmt.Errorf("the agent sent a message that is not understood: %w", err)
		}
		if next.Step == "finish" && next.Finish != nil {
			return *next.Finish, nil
		}
		if err := writer.Encode(take(next, asked)); err != nil {
			return finish{}, err
		}
	}
	if err := lines.Err(); err != nil {
		return finish{}, err
	}
	return finish{}, errors.New("the agent closed the connection without a result")
}

func take(next step, asked request) outcome {
	switch {
	case next.Step == "attach" && next.Attach != nil:
		return outcomeOf(nil, next.Attach.take(asked))
	case next.Step == "probe" && next.Probe != nil:
		return outcomeOf(nil, next.Probe.take(asked))
	case next.Step == "detach":
		return outcomeOf(nil, detach(asked))
	case next.Step == "observe":
		return outcomeOf(observe(asked))
	default:
		return outcome{Error: fmt.Sprintf("step %q is not known to protocol version %d", next.Step, protocolVersion)}
	}
}
