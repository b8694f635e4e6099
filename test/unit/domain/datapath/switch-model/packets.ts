import { parseMatch } from '../../../../../src/domain/datapath/openflow/parse-match.ts';
import { valueText } from '../../../../../src/domain/datapath/openflow/bits.ts';
import { fieldNames } from '../../../../../src/domain/datapath/openflow/fields.ts';
import { parseFlowDump } from '../../../../../src/domain/datapath/openflow/flow-entry.ts';
import { type Packet, packetOf } from '../../../../../src/domain/datapath/switch-model/packet.ts';
import type { SwitchState } from '../../../../../src/domain/datapath/switch-model/evaluate.ts';

/** A packet in the words of ovs-ofctl. */
export function packet(text: string): Packet {
  const match = parseMatch(text);
  const fields = match && packetOf(match);
  if (fields === undefined) throw new Error(`no packet: ${text}`);
  return fields;
}

/** A packet's fields that are not 0, each as text. */
export function fieldsOf(found: Packet): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fieldNames.flatMap((name) => {
      const value = found[name] ?? 0n;
      return value === 0n ? [] : [[name, valueText(name, value)]];
    }),
  );
}

/** A bridge with the ports 1, 2 and 3, all of them trunks, and flows as ovs-ofctl prints them. */
export function bridge(...flows: readonly string[]): SwitchState {
  return {
    flows: parseFlowDump(flows.join('\n')),
    ports: [{ number: 1n }, { number: 2n }, { number: 3n }],
    addresses: [],
    connections: [],
  };
}
