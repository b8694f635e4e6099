/**
 * Flows that rewrite the virtual MAC address of a neighbour to its own (docs/design/flows.md, "Neighbours").
 */
import type { Match } from '../../datapath/openflow/flow.ts';
import { matchText } from '../../datapath/openflow/flow-text.ts';
import { parseActions } from '../../datapath/openflow/parse-actions.ts';
import type { UplinkInput } from './bridge-input.ts';
import { tables } from './tables.ts';
import { virtualMacOf } from './virtual-mac.ts';
import { tagged } from './matches-and-actions.ts';

/** Matches on the MAC address of the uplink too: for a moment, two uplinks of one VLAN may have different MAC addresses for a neighbour. */
export function nextHopMatch(uplink: Pick<UplinkInput, 'macAddress' | 'vlan'>, address: string): Match {
  return { ...tagged(uplink), dl_src: uplink.macAddress, dl_dst: virtualMacOf(address) };
}

/** Priority of the flows of default gateways. */
export const GATEWAY_NEXT_HOP_PRIORITY = 100;

/** Priority of the flows of adopted neighbours: above that of learned flows, and other than that of gateways, so that they can be distinguished. */
export const ADOPTED_NEXT_HOP_PRIORITY = 95;

/** The flow of an uplink that has the MAC address of a neighbour, and how to read the address from its actions. */
export function nextHopFlow(uplink: Pick<UplinkInput, 'macAddress' | 'vlan'>, address: string, isGateway: boolean) {
  return {
    flow: {
      table: tables.nextHop,
      priority: isGateway ? GATEWAY_NEXT_HOP_PRIORITY : ADOPTED_NEXT_HOP_PRIORITY,
      match: matchText(nextHopMatch(uplink, address)),
    },
    macAddressIn: (actions: string): string | undefined => {
      const [first] = parseActions(actions);
      return first?.kind === 'set' && first.field === 'dl_dst' ? first.value : undefined;
    },
  };
}
