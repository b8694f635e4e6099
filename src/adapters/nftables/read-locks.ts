import Type from 'typebox';
import { partOf, type Shape } from '../../domain/api/schema.ts';
import type { HostInterface } from '../../domain/pods/default-interfaces.ts';
import { groupBy } from '../../domain/grouping.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { LockDifferences, LockedInterface, ReadLocks } from '../../ports/interface-locks.ts';
import { mapReading, thenRead } from '../../ports/readings.ts';
import { conforming } from '../json/conforming.ts';
import { readJson } from '../json/json-text.ts';
import { chainsOf, indexInChainName, LOCK_TABLE, type WrittenChain } from './lock-ruleset.ts';

const owner = { family: Type.String(), table: Type.String() };

const chainSchema = partOf({
  ...owner,
  name: Type.String(),
  type: Type.Optional(Type.String()),
  hook: Type.Optional(Type.String()),
  // Not printed by all versions (nft 1.0.6); several are a list.
  dev: Type.Optional(Type.Unknown()),
  prio: Type.Optional(Type.Integer()),
  policy: Type.Optional(Type.String()),
});

const ruleSchema = partOf({ ...owner, chain: Type.String(), comment: Type.Optional(Type.String()) });

const listing = conforming(
  partOf({ nftables: Type.Array(partOf({ chain: Type.Optional(chainSchema), rule: Type.Optional(ruleSchema) })) }),
);

/** A chain as it is. */
interface FoundChain {
  readonly chain: Shape<typeof chainSchema>;
  /** Of its rules. */
  readonly comments: readonly (string | undefined)[];
}

function isOurs({ family, table }: { readonly family: string; readonly table: string }): boolean {
  return family === LOCK_TABLE.family && table === LOCK_TABLE.table;
}

/** Whether a chain is as it was written. */
function isAsWritten({ base, rules }: WrittenChain, found: FoundChain | undefined): boolean {
  if (found === undefined) return false;
  const { chain, comments } = found;
  return (
    chain.type === base.type &&
    chain.hook === base.hook &&
    (chain.dev === undefined || chain.dev === base.dev) &&
    chain.prio === base.prio &&
    chain.policy === base.policy &&
    comments.length === rules.length &&
    rules.every(({ comment }, index) => comment === comments[index])
  );
}

/** The network devices of the host. */
export interface HostDevices {
  /** Whether there is one of a name with an index. Never rejects. */
  has(device: HostInterface): Promise<boolean>;
  /** The indexes of all. Never rejects. */
  indexes(): Promise<ReadonlySet<number>>;
}

/** The locks in a listing of nft. */
class FoundLocks implements ReadLocks {
  readonly #chains: ReadonlyMap<string, FoundChain>;
  readonly #devices: HostDevices;

  constructor(chains: ReadonlyMap<string, FoundChain>, devices: HostDevices) {
    this.#chains = chains;
    this.#devices = devices;
  }

  async differences(wanted: readonly LockedInterface[]): Promise<LockDifferences> {
    const missing: LockedInterface[] = [];
    const different: LockedInterface[] = [];
    for (const lock of wanted) {
      const chains = chainsOf(lock);
      if (chains.every((chain) => isAsWritten(chain, this.#chains.get(chain.name)))) continue;
      if (!(await this.#devices.has(lock.interface))) continue;
      (chains.some(({ name }) => this.#chains.has(name)) ? different : missing).push(lock);
    }
    const indexes = new Set(wanted.map((lock) => lock.interface.index));
    const found = [...this.#chains.keys()].flatMap((name) => indexInChainName(name) ?? []);
    const others = [...new Set(found)].filter((index) => !indexes.has(index));
    const present = others.length === 0 ? indexes : await this.#devices.indexes();
    return { missing, different, gone: others.filter((index) => !present.has(index)) };
  }
}

/**
 * Reads what `nft --json list ruleset netdev` prints (libnftables-json(5)).
 *
 * @param file the command
 */
export function readLocks(text: string, file: string, devices: HostDevices): Reading<ReadLocks> {
  const read = thenRead(readJson(text, file), (value) => listing(value, { file, path: '' }));
  return mapReading(read, ({ nftables }) => {
    const rules = groupBy(
      nftables.flatMap(({ rule }) => (rule !== undefined && isOurs(rule) ? [rule] : [])),
      ({ chain }) => chain,
    );
    const chains = nftables.flatMap(({ chain }) => (chain !== undefined && isOurs(chain) ? [chain] : []));
    const found = chains.map((chain): [string, FoundChain] => {
      const comments = (rules.get(chain.name) ?? []).map(({ comment }) => comment);
      return [chain.name, { chain, comments }];
    });
    return new FoundLocks(new Map(found), devices);
  });
}
