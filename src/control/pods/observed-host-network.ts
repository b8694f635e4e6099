import type { HostNetwork, HostSnapshot } from '../../ports/node/host-network.ts';

/** The network of a node, with an observer that gets each complete snapshot too. */
export function observedHostNetwork(network: HostNetwork, observe: (snapshot: HostSnapshot) => void): HostNetwork {
  return {
    read: async () => {
      const reading = await network.read();
      if (reading.read) observe(reading.value);
      return reading;
    },
    readNeighbours: () => network.readNeighbours(),
    apply: (operation) => network.apply(operation),
    onChange: (listener, reportProblem) => {
      network.onChange(listener, reportProblem);
    },
    close: () => network.close(),
  };
}
