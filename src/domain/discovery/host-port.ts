import type { Check, FoundBridge } from './discovery.ts';
import { notAdded } from './port-addition.ts';

/** Open vSwitch has added the port to the host to its bridge. */
export const hostPort: Check<FoundBridge, object> = {
  name: 'host port',
  run: (_, { bridge, hostPort: port, hostPortInterface }) => {
    const device = port.interfaces.find(({ name }) => name === hostPortInterface);
    const failure = device && notAdded(bridge, port, device);
    return failure === undefined ? { ok: true, found: {} } : { ok: false, failure };
  },
};
