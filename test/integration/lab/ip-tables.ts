import type { Channel } from './channel.ts';

/** Milliseconds for ip(8) to print its tables. It takes ten. */
const DEADLINE = 60_000;

/** Commands of `ip -batch` for the tables of a capture. Links come first: ip caches the names of devices from them. */
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

/** Commands with -6, the only way to list IPv6 rules. */
const LINES_6 = { rules6: 'rule show' } as const;

/** A table, by the name of its file in captures. */
export type IpTable = keyof typeof LINES | keyof typeof LINES_6;

/** The commands of each program. */
const QUESTIONS = [
  { options: [], lines: Object.values(LINES), deadline: DEADLINE },
  { options: ['-6'], lines: Object.values(LINES_6), deadline: DEADLINE },
];

/** The names of the tables, in the order of the commands. */
const TABLES = [...Object.keys(LINES), ...Object.keys(LINES_6)];

/** Whether a file of the capture is such a table. */
export function isIpTable(file: string): file is IpTable {
  return file in LINES || file in LINES_6;
}

/** The output of the capture's commands of ip(8) on a node, from two programs that run as long as the node. */
export class IpTables {
  readonly #channel: Channel;
  readonly #node: string;
  /** Device names by index in the caches of the programs, which never update them (iproute2, lib/ll_map.c, ll_entry_update). */
  readonly #cachedNames = new Map<number, string>();

  constructor(channel: Channel, node: string) {
    this.#channel = channel;
    this.#node = node;
  }

  /** The tables by name, with a character for each byte; empty if ip fails or is too slow. */
  async read(): Promise<ReadonlyMap<string, string>> {
    const tables = await this.#ask(false);
    if (this.#remember(tables.get('links') ?? '[]')) return tables;
    this.#cachedNames.clear();
    const again = await this.#ask(true);
    this.#remember(again.get('links') ?? '[]');
    return again;
  }

  /** @param restart whether to start the programs again */
  async #ask(restart: boolean): Promise<ReadonlyMap<string, string>> {
    const request = { do: 'ask-ip', node: this.#node, questions: QUESTIONS, anew: restart };
    const answers = (await this.#channel.request(request)) as readonly (string | null)[];
    const lines = answers.join('').match(/[^\n]*\n/g) ?? [];
    return new Map(lines.length === TABLES.length ? TABLES.map((name, index) => [name, lines[index] ?? '']) : []);
  }

  /** Records the names in the caches; returns whether they are up to date. */
  #remember(links: string): boolean {
    const entries = JSON.parse(links) as readonly { readonly ifindex: number; readonly ifname: string }[];
    const isKnown = entries.every(({ ifindex, ifname }) => (this.#cachedNames.get(ifindex) ?? ifname) === ifname);
    for (const { ifindex, ifname } of entries) this.#cachedNames.set(ifindex, ifname);
    return isKnown;
  }
}
