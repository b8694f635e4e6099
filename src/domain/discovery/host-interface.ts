import { isInterfaceName, isTakenForNumber } from '../interface-name.ts';
import type { Check, DiscoveryFailure, FoundInterface } from './discovery.ts';

type NameFailure = Extract<DiscoveryFailure, { reason: 'HostInterfaceNotFound' }>['cause'];

/** Why no command can be sure to reach an interface of the name, whether there is one or not. */
function nameFailure(name: string): NameFailure | undefined {
  if (!isInterfaceName(name)) return 'impossible-name';
  if (isTakenForNumber(name)) return 'taken-for-number';
  // It would end the name of the interface's settings.
  return name.includes('=') ? 'equals-sign' : undefined;
}

/** The interface that the Uplink names exists on the node, and by its name nothing else is meant. */
export const hostInterface: Check<unknown, FoundInterface> = {
  name: 'host interface',
  run: ({ node, hostInterfaceName }) => {
    const refused = nameFailure(hostInterfaceName);
    const link = node.link(hostInterfaceName);
    if (refused === undefined && link !== undefined) return { ok: true, found: { link } };
    return { ok: false, failure: { reason: 'HostInterfaceNotFound', cause: refused ?? 'absent' } };
  },
};
