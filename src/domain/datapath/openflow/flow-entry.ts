/** Flows as a switch prints them: texts that are compared as they are, and parsed only where their meaning matters. */
/** A flow of a switch, as ovs-ofctl(8) prints it. */
export interface FlowEntry {
  /** Hexadecimal with 0x; `0x0` for none. */
  readonly cookie: string;
  readonly table: number;
  readonly priority: number;
  readonly match: string;
  readonly actions: string;
  /** Whether it has a timeout, as learned flows do. */
  readonly hasTimeout?: true;
  /** Packets that it has matched; absent if not read. */
  readonly packets?: number;
}

/** Identifies a flow on a switch, which has one for each table, priority and match. */
export function flowKey({ table, priority, match }: Pick<FlowEntry, 'table' | 'priority' | 'match'>): string {
  return `table=${String(table)}, priority=${String(priority)}${match === '' ? '' : `,${match}`}`;
}

/** Priority of flows for which ovs-ofctl prints none (OFP_DEFAULT_PRIORITY). */
const DEFAULT_PRIORITY = 32_768;

/** Attributes before the match that are not part of a flow here: name, value, and whether it is a timeout. */
const ignored =
  /^(duration|n_bytes|idle_age|hard_age|importance|send_flow_rem|check_overlap|reset_counts|no_packet_counts|no_byte_counts)\b/;

function number(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : Number(text);
}

/** The flow in a line of a dump; undefined for other lines, such as the heading. */
export function parseFlowLine(line: string): FlowEntry | undefined {
  const at = line.indexOf(' actions=');
  if (at === -1) return undefined;
  const words = line.slice(0, at).split(',');
  const fields = new Map<string, string>();
  const match: string[] = [];
  for (const spaced of words) {
    const word = spaced.trimStart();
    const equals = word.indexOf('=');
    const name = equals === -1 ? word : word.slice(0, equals);
    switch (name) {
      case 'cookie':
      case 'table':
      case 'priority':
      case 'n_packets':
      case 'idle_timeout':
      case 'hard_timeout':
        fields.set(name, word.slice(equals + 1));
        break;
      case '':
        break;
      default:
        if (!ignored.test(word)) match.push(word);
    }
  }
  const packets = fields.get('n_packets');
  return {
    cookie: fields.get('cookie') ?? '0x0',
    table: number(fields.get('table'), 0),
    priority: number(fields.get('priority'), DEFAULT_PRIORITY),
    match: match.join(','),
    actions: line.slice(at + ' actions='.length),
    ...((fields.has('idle_timeout') || fields.has('hard_timeout')) && { hasTimeout: true as const }),
    ...(packets !== undefined && { packets: Number(packets) }),
  };
}

/** The flows of a dump by `ovs-ofctl -O OpenFlow14 --no-names dump-flows`, with statistics or without, in its order. */
export function parseFlowDump(text: string): readonly FlowEntry[] {
  return text.split('\n').flatMap((line) => parseFlowLine(line) ?? []);
}
