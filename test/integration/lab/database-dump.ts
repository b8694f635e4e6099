import type { Channel } from './channel.ts';

const DATABASE = 'Open_vSwitch';

interface Schema {
  readonly tables: Readonly<Record<string, { readonly columns: Readonly<Record<string, unknown>> }>>;
}

interface Selection {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** The output of `ovsdb-client --format=json dump Open_vSwitch` on a node, in a tenth of the time: the database is asked without a program. */
export class DatabaseDump {
  readonly #channel: Channel;
  readonly #node: string;
  #headings: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(channel: Channel, node: string) {
    this.#channel = channel;
    this.#node = node;
  }

  /** Rejects where the database does not answer. */
  async text(): Promise<string> {
    const headings = (this.#headings ??= await this.#readHeadings());
    const operations = [...headings.keys()].map((table) => ({ op: 'select', table, where: [] }));
    const selections = (await this.#ask('transact', [DATABASE, ...operations])) as readonly Selection[];
    const lines = [...headings].map(([table, columns], index) => {
      const data = selections[index]?.rows.map((row) => columns.map((column) => row[column])) ?? [];
      return JSON.stringify({ caption: `${table} table`, data, headings: columns });
    });
    return lines.map((line) => `${line}\n`).join('');
  }

  /** The columns by table, as they are printed: the first is the row's uuid. */
  async #readHeadings(): Promise<ReadonlyMap<string, readonly string[]>> {
    const { tables } = (await this.#ask('get_schema', [DATABASE])) as Schema;
    return new Map(
      Object.keys(tables)
        .sort()
        .map((table) => [table, ['_uuid', ...Object.keys(tables[table]?.columns ?? {}).sort()]]),
    );
  }

  #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#channel.request({ do: 'ask-switch', node: this.#node, method, params });
  }
}
