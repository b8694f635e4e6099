import type { Channel } from './channel.ts';

/** Milliseconds in which ip(8) has to print its tables. It takes ten. */
const DEADLINE = 5000;

/** What `ip -batch` is told in place of a command of the capture. Links come first: ip learns from them which device a number stands for. */
const LINES = {
  links: 'link show',
  addresses: 'address show',
  routes4: 'route show table all root 0.0.0.0/0',
  routes6: 'route show table all root ::/0',
  rules4: 'rule show',
  neighbours: 'neighbour show nud all',
  neighbourProxies: 'neighbour show proxy',
  nextHopObjects: 'nexthop show',
} as const;

/** What it is told with -6, as nothing else gives the rules of IPv6. */
const LINES_6 = { rules6: 'rule show' } as const;

/** A table, by the name of the capture's file for it. */
export type IpTable = keyof typeof LINES | keyof typeof LINES_6;

/** Of which programs it is asked. */
const QUESTIONS = [
  { options: [], lines: Object.values(LINES), deadline: DEADLINE },
  { options: ['-6'], lines: Object.values(LINES_6), deadline: DEADLINE },
];

/** The names of the tables, in the order in which they are asked for. */
const TABLES = [...Object.keys(LINES), ...Object.keys(LINES_6)];

/** Whether a file of the capture is such a table. */
export function isIpTable(file: string): file is IpTable {
  return file in LINES || file in LINES_6;
}

/** What the capture's commands of ip(8) print on a node, without a program being started: two go on for as long as the node does, and are asked. */
export class IpTables {
  readonly #channel: Channel;
  readonly #node: string;
  /** Names of devices by their numbers, as the programs have learned them: they never learn another one (iproute2, lib/ll_map.c, ll_entry_update). */
  readonly #learned = new Map<number, string>();

  constructor(channel: Channel, node: string) {
    this.#channel = channel;
    this.#node = node;
  }

  /** The tables by name, a character for each byte: none where ip complains, or is too slow. */
  async read(): Promise<ReadonlyMap<string, string>> {
    const tables = await this.#ask(false);
    if (this.#learns(tables.get('links') ?? '[]')) return tables;
    this.#learned.clear();
    const again = await this.#ask(true);
    this.#learns(again.get('links') ?? '[]');
    return again;
  }

  /** @param anew whether other programs are asked than before */
  async #ask(anew: boolean): Promise<ReadonlyMap<string, string>> {
    const request = { do: 'ask-ip', node: this.#node, questions: QUESTIONS, anew };
    const answers = (await this.#channel.request(request)) as readonly (string | null)[];
    const lines = answers.join('').match(/[^\n]*\n/g) ?? [];
    return new Map(lines.length === TABLES.length ? TABLES.map((name, index) => [name, lines[index] ?? '']) : []);
  }

  /** Takes note of what ip learns; gives whether that is all as it has learned it before. */
  #learns(links: string): boolean {
    const entries = JSON.parse(links) as readonly { readonly ifindex: number; readonly ifname: string }[];
    const isKnown = entries.every(({ ifindex, ifname }) => (this.#learned.get(ifindex) ?? ifname) === ifname);
    for (const { ifindex, ifname } of entries) this.#learned.set(ifindex, ifname);
    return isKnown;
  }
}
