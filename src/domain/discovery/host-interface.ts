import { isInterfaceName, isTakenForNumber } from '../basics/names/interface-name.ts';
import type { Check, DiscoveryFailure, FoundInterface } from './discovery.ts';

type NameFailure = Extract<DiscoveryFailure, { reason: 'HostInterfaceNotFound' }>['cause'];

/** Why the name is unsafe in commands, whether the interface exists or not. */
function nameFailure(name: string): NameFailure | undefined {
  if (!isInterfaceName(name)) return 'impossible-name';
  if (isTakenForNumber(name)) return 'taken-for-number';
  // sysctl would take the rest of the name for a value.
  return name.includes('=') ? 'equals-sign' : undefined;
}

/** The interface that the Uplink names exists on the node, and its name is unambiguous. */
export const hostInterface: Check<unknown, FoundInterface> = {
  name: 'host interface',
  run: ({ node, hostInterfaceName }) => {
    const refused = nameFailure(hostInterfaceName);
    const link = node.link(hostInterfaceName);
    if (refused === undefined && link !== undefined) return { ok: true, found: { link } };
    return { ok: false, failure: { reason: 'HostInterfaceNotFound', cause: refused ?? 'absent' } };
  },
};
