import { isInterfaceName } from '../selection/interface-name.ts';
import type { Check, FoundInterface } from './discovery.ts';

/** The interface that the Uplink names exists on the node. */
export const hostInterface: Check<unknown, FoundInterface> = {
  name: 'host interface',
  run: ({ node, hostInterfaceName }) => {
    const link = node.link(hostInterfaceName);
    if (link !== undefined) return { ok: true, found: { link } };
    const cause = isInterfaceName(hostInterfaceName) ? 'absent' : 'impossible-name';
    return { ok: false, failure: { reason: 'HostInterfaceNotFound', cause } };
  },
};
