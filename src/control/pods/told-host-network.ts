import type { HostNetwork, HostSnapshot } from '../../ports/host-network.ts';

/** The network of a node, which somebody else gets too whenever all of it is read. */
export function toldHostNetwork(network: HostNetwork, take: (snapshot: HostSnapshot) => void): HostNetwork {
  return {
    read: async () => {
      const reading = await network.read();
      if (reading.read) take(reading.value);
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
