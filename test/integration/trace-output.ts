/**
 * What ovs-vswitchd prints of a traced packet (ovs-vswitchd(8), ofproto/trace), as far as it is compared: which flows decided, and what left.
 */
import { divided } from '../../src/domain/openflow/parse-actions.ts';

/** A traced packet. */
export interface Traced {
  /** `TABLE/PRIORITY` of each flow that decided, or `TABLE/none`, in order. */
  readonly decisions: readonly string[];
  /** Each packet that left, as its port and what is compared of it, sorted. */
  readonly outputs: readonly string[];
}

/** What is compared of a packet that leaves. */
export interface Left {
  readonly port: string;
  readonly vlan: string;
  readonly dl_src: string;
  readonly dl_dst: string;
  readonly source: string;
  readonly destination: string;
  readonly ports: string;
}

/** The line of a packet that leaves. */
export function leftText({ port, vlan, dl_src, dl_dst, source, destination, ports }: Left): string {
  return `port ${port}, VLAN ${vlan}, ${dl_src} > ${dl_dst}, ${source}${ports} > ${destination}`;
}

function fieldsIn(line: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    line.split(',').flatMap((word) => {
      const [name = '', value] = word.trim().split('=');
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Fields of `set(...)` by their names in flows. */
const setFields: Readonly<Record<string, Readonly<Record<string, keyof Left>>>> = {
  eth: { src: 'dl_src', dst: 'dl_dst' },
  arp: { sip: 'source', tip: 'destination' },
  ipv4: { src: 'source', dst: 'destination' },
  ipv6: { src: 'source', dst: 'destination' },
};

function withSet(packet: Left, action: string): Left {
  const [, header = '', list = ''] = /^set\((\w+)\((.*)\)\)$/.exec(action) ?? [];
  const names = setFields[header] ?? {};
  const changes = Object.entries(fieldsIn(list)).flatMap(([name, value]) => {
    const field = names[name];
    return field === undefined ? [] : [[field, value.split('/')[0] ?? ''] as const];
  });
  return { ...packet, ...(Object.fromEntries(changes) as Partial<Left>) };
}

/** The packets that leave by the datapath actions of one pass. */
function outputsOf(actions: string, first: Left, portOf: (datapathPort: string) => string): readonly string[] {
  let packet = first;
  const outputs: string[] = [];
  for (const action of divided(actions)) {
    if (/^\d+$/.test(action)) outputs.push(leftText({ ...packet, port: portOf(action) }));
    else if (action === 'pop_vlan') packet = { ...packet, vlan: 'none' };
    else if (action.startsWith('push_vlan')) packet = { ...packet, vlan: /vid=(\d+)/.exec(action)?.[1] ?? '' };
    else if (action.startsWith('set(')) packet = withSet(packet, action);
    else if (!/^(drop|ct\(|recirc\()/.test(action)) outputs.push(`unexpected datapath action ${action}`);
  }
  return outputs;
}

/** Reads what is printed of a traced packet. */
export function readTrace(text: string, portOf: (datapathPort: string) => string): Traced {
  const passes = text.split(/^=+\nrecirc\(/m);
  const decisions = [...text.matchAll(/^ *(\d+)\. (?:No match|(?:.*, )?priority (\d+))/gm)].map(
    ([, table = '', priority]) => `${table}/${priority ?? 'none'}`,
  );
  const outputs = passes.flatMap((pass) => {
    const flow = fieldsIn(/^Flow: (.*)$/m.exec(pass)?.[1] ?? '');
    const packet: Left = {
      port: '',
      vlan: flow['dl_vlan'] ?? 'none',
      dl_src: flow['dl_src'] ?? '',
      dl_dst: flow['dl_dst'] ?? '',
      source: flow['nw_src'] ?? flow['ipv6_src'] ?? flow['arp_spa'] ?? '',
      destination: flow['nw_dst'] ?? flow['ipv6_dst'] ?? flow['arp_tpa'] ?? '',
      ports: flow['tp_src'] === undefined ? '' : ` ${flow['tp_src']}:${flow['tp_dst'] ?? ''}`,
    };
    return outputsOf(/^Datapath actions: (.*)$/m.exec(pass)?.[1] ?? '', packet, portOf);
  });
  return { decisions, outputs: outputs.sort() };
}
