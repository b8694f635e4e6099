/**
 * Which flows of bridges are added and removed, so that Services are reached from the wire as they should be? Several Services may need a flow: it goes with the last one of them.
 */
import { flowsOnBridge } from '../dataplane/pipeline/exposed-flows.ts';
import { listChanges } from '../basics/incremental/list-changes.ts';
import { addTo, removeFrom } from '../basics/names/pairs.ts';
import { flowKey } from '../datapath/openflow/flow-entry.ts';
import type { EntityOperation } from '../entities/operations/operation.ts';
import { flowEntity, type FlowEntity } from '../entities/switch/flow.ts';
import type { BridgeFlow } from '../snapshot/datapath.ts';
import type { DesiredService } from './services-on-node.ts';

/** Identifies a flow: a bridge has one for each table, priority and match. */
type Id = string;

const idOf = ({ bridge, ...flow }: BridgeFlow): Id => `${bridge} ${flowKey(flow)}`;

type FlowChange = EntityOperation<FlowEntity['kind']>;

/** The flows that a Service needs; `undecided` where those that are there stay as they are. */
type Exposed = DesiredService['exposed'];

const none: ReadonlySet<never> = new Set();

/** The flows of Services on the bridges of a node: those that there are, and those that Services need. */
export class ExposedChanges {
  readonly #found = new Map<Id, BridgeFlow>();
  #list: readonly BridgeFlow[] = [];
  readonly #needed = new Map<Id, BridgeFlow>();
  readonly #owners = new Map<Id, Set<string>>();
  /** The flows that Services need, by their keys. */
  readonly #ofService = new Map<string, readonly Id[]>();
  readonly #undecided = new Set<string>();
  /** Those that were needed by the Services alone of which it is known what they need: once none of these does, they may go. */
  readonly #known = new Set<Id>();
  /** Flows that may not be as they should be, among them all that no Service is known to need. */
  readonly #pending = new Set<Id>();

  /** Takes over how a Service is to be reached. @param key its key */
  set(key: string, exposed: Exposed): void {
    if (exposed === 'undecided') {
      this.#undecided.add(key);
      return;
    }
    this.#undecided.delete(key);
    const flows = exposed === 'none' ? [] : flowsOnBridge(exposed.way.scope, exposed.ports);
    const before = this.#ofService.get(key) ?? [];
    for (const id of before) {
      removeFrom(this.#owners, id, key);
      this.#pending.add(id);
    }
    for (const flow of flows) {
      const id = idOf(flow);
      addTo(this.#owners, id, key);
      this.#needed.set(id, flow);
      this.#pending.add(id);
    }
    for (const id of before) if (!this.#owners.has(id)) this.#needed.delete(id);
    if (flows.length === 0) this.#ofService.delete(key);
    else this.#ofService.set(key, flows.map(idOf));
  }

  /** Takes over which flows there are. */
  take(found: readonly BridgeFlow[]): void {
    const { removed, added } = listChanges(this.#list, found);
    for (const flow of removed) this.#found.delete(idOf(flow));
    for (const flow of added) this.#found.set(idOf(flow), flow);
    for (const flow of [...removed, ...added]) this.#pending.add(idOf(flow));
    this.#list = found;
    for (const id of this.#pending) this.#look(id);
  }

  /** The removals of flows that no Service needs any more. As long as it is not decided of some what they need, only those go that were needed by others. */
  get obsolete(): readonly FlowChange[] {
    return [...this.#pending].flatMap((id) => {
      const found = this.#found.get(id);
      const isKept = found === undefined || this.#needed.has(id) || (this.#undecided.size > 0 && !this.#known.has(id));
      return isKept ? [] : [{ verb: 'remove', entity: flowEntity(found), networks: [] }];
    });
  }

  /** The additions of flows that are not there, or otherwise. @param isReady whether a Service can be reached, so that packets may come to it */
  missing(isReady: (key: string) => boolean): readonly FlowChange[] {
    return [...this.#pending].flatMap((id) => {
      const flow = this.#needed.get(id);
      if (flow === undefined || this.#found.get(id)?.actions === flow.actions) return [];
      if (![...this.ownersOf(flow)].some(isReady)) return [];
      const verb = this.#found.has(id) ? 'replace' : 'add';
      return [{ verb, entity: flowEntity(flow), networks: [] }];
    });
  }

  /** The keys of the Services that need a flow. */
  ownersOf(flow: BridgeFlow): ReadonlySet<string> {
    return this.#owners.get(idOf(flow)) ?? none;
  }

  /** The keys of Services of which flows are missing. */
  get incomplete(): ReadonlySet<string> {
    return new Set(this.missing(() => true).flatMap(({ entity }) => [...this.ownersOf(entity.flow)]));
  }

  /** Compares a flow with what there is. */
  #look(id: Id): void {
    const [needed, found] = [this.#needed.get(id), this.#found.get(id)];
    if (needed !== undefined && (this.#undecided.size === 0 || found === undefined)) this.#known.add(id);
    if (needed?.actions === found?.actions) this.#pending.delete(id);
  }
}
