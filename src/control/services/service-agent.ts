/**
 * Makes the load balancers of Services in OVN what they should be. A Service that changes costs its own load balancers.
 */
import { listChanges } from '../../domain/basics/incremental/list-changes.ts';
import { byName } from '../../domain/basics/names/ordering.ts';
import { addTo, removeFrom } from '../../domain/basics/names/pairs.ts';
import { logicalNetworkNames } from '../../domain/network/names/logical-network.ts';
import {
  type FoundLoadBalancer,
  type LoadBalancerChange,
  loadBalancerChanges,
} from '../../domain/services/load-balancer-changes.ts';
import type { ServedNetwork } from '../../domain/snapshot/served-network.ts';
import { noServedObjects, type ServedObjects, ServicesOnNode } from '../../domain/services/services-on-node.ts';
import type { ServedObjectsSource } from '../../ports/cluster/served-objects.ts';
import { describeProblem, type InputProblem } from '../../ports/input-problem.ts';
import type { NetworkSwitch } from '../../ports/node/logical-ports.ts';
import type { LoadBalancers, LoadBalancersSnapshot, MadeChange } from '../../ports/node/load-balancers.ts';
import type { ServiceConnections } from '../../ports/node/service-connections.ts';
import type { ServiceReport } from '../../ports/services/service-report.ts';
import type { RepairOutcome, RepairScope } from '../repairs.ts';
import { Alarm } from '../time.ts';
import { Confirmations } from './confirmations.ts';
import { ConnectionEnds, endedWithDeleted } from './connection-ends.ts';
import { ServedProgress } from './served-progress.ts';
import type { ServiceCluster } from './service-cluster.ts';

/** Changes in a transaction: a larger one would keep the ports of pods waiting. */
const BATCH = 500;

const NOT_SERVED = 'Services of networks cannot be served';

/** Needs of the agent. */
export interface ServiceAgentPorts {
  readonly objects: ServedObjectsSource;
  readonly loadBalancers: LoadBalancers;
  readonly connections: ServiceConnections;
  readonly cluster: Pick<ServiceCluster, 'surroundings'>;
  /** Takes reports for logs and metrics; must not throw. */
  readonly report: (report: ServiceReport) => void;
  /** Takes how the Services of networks are served, each time that it is something else; must not throw. */
  readonly served: (networks: readonly ServedNetwork[]) => void;
}

/** Outcome of changes. */
interface Attempt {
  /** Errors of Services whose changes were refused, by their keys. */
  readonly refused: ReadonlyMap<string, string>;
  /** Why the others were not made; absent where they were. */
  readonly error?: string;
}

/** The changes of the load balancers of a Service. */
interface ServiceChanges {
  readonly key: string;
  readonly changes: readonly LoadBalancerChange[];
  /** Text of what they lead to. */
  readonly wanted: string;
}

const done: RepairOutcome = { ok: true };

function failed(details: string) {
  return { ok: false, error: { message: NOT_SERVED, details } } as const;
}

const unread = (problems: readonly InputProblem[]) => failed(problems.map(describeProblem).join('; '));

/** Splits changes into transactions. Those of a Service stay together: clients must not find half of it. */
function batchesOf(changed: readonly ServiceChanges[]): readonly (readonly ServiceChanges[])[] {
  const batches: ServiceChanges[][] = [];
  let size = BATCH;
  for (const each of changed) {
    if (size + each.changes.length > BATCH) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(each);
    size += each.changes.length;
  }
  return batches;
}

/** Serves Services on a node. */
export class ServiceAgent {
  readonly #ports: ServiceAgentPorts;
  readonly #services = new ServicesOnNode();
  readonly #byOwner = new Map<string, Set<FoundLoadBalancer>>();
  #found: readonly FoundLoadBalancer[] = [];
  #switches: readonly NetworkSwitch[] = [];
  /** Whether these were read. */
  #isRead = false;
  /** Keys of the Services whose load balancers may not be as they should: those that were changed are until they are read as they should be. */
  readonly #pending = new Set<string>();
  readonly #confirmations: Confirmations;
  readonly #ends: ConnectionEnds;
  readonly #progress = new ServedProgress();
  readonly #alarm = new Alarm(() => this.#follow((now) => this.#progress.look(now)));
  #unreadable = noServedObjects.unreadable;
  #isStopped = false;

  constructor(ports: ServiceAgentPorts) {
    this.#ports = ports;
    const { loadBalancers, connections } = ports;
    const warn = (text: string) => this.#warn(text);
    this.#confirmations = new Confirmations({ loadBalancers, warn });
    this.#ends = new ConnectionEnds({ loadBalancers, connections, warn });
  }

  /** Makes what has changed as it should be, or everything. Never rejects. */
  async repair(scope: RepairScope): Promise<RepairOutcome> {
    const begin = performance.now();
    const { objects, cluster, loadBalancers } = this.#ports;
    const { surroundings } = cluster;
    // It is called again once there are some.
    if (surroundings === undefined) return done;
    const served = objects.read();
    if (!served.read) return unread(served.problems);
    for (const key of this.#services.take(served.value, surroundings)) this.#pending.add(key);
    this.#takeUnreadable(served.value);
    const reading = await loadBalancers.read();
    if (!reading.read) {
      const outcome = unread(reading.problems);
      this.#takeAttempt({ refused: new Map(), error: outcome.error.details }, surroundings.node.name);
      return outcome;
    }
    this.#takeFound(reading.value);
    this.#isRead = true;
    if (scope === 'everything') this.#lookAtAll();
    const switches = this.#switchNames(surroundings.node.name);
    const changed = [...this.#pending].flatMap((key) => this.#changesOf(key, switches));
    const attempt = await this.#applyAll(changed, begin);
    this.#takeAttempt(attempt, surroundings.node.name);
    this.#ends.end(this.#found);
    this.#confirmations.askAgain();
    this.#ports.report({
      kind: 'services-served',
      services: this.#services.size,
      loadBalancers: this.#found.length,
    });
    const { refused, error = [] } = attempt;
    const errors = [...refused].map(([key, refusal]) => `${key}: ${refusal}`).concat(error);
    return errors.length === 0 ? done : failed(errors.join('; '));
  }

  /** Resolves once no change waits for its confirmation, and no connection for its end. */
  async settled(): Promise<void> {
    await this.#ends.settled();
    await this.#confirmations.settled();
  }

  /** Says nothing more of what waits for OVN. It is not waited for: an agent that ends is followed by one that finds it. */
  stop(): void {
    this.#isStopped = true;
    this.#alarm.clear();
  }

  #warn(text: string): void {
    if (!this.#isStopped) this.#ports.report({ kind: 'services-warning', text });
  }

  /** Takes over how everything is after an attempt to change what is pending. */
  #takeAttempt({ refused, error }: Attempt, node: string): void {
    // Which networks are on the node is not known before.
    if (!this.#isRead) return;
    const networks = [...this.#switchNames(node).keys()].toSorted(byName);
    const pending = new Map([...this.#pending].map((key) => [key, this.#networksOf(key)]));
    this.#follow((now) =>
      this.#progress.take({ networks, pending, refused, ...(error !== undefined && { error }) }, now),
    );
  }

  /** Follows how the Services of networks are served, and tells it where that is something else. */
  #follow(change: (now: number) => void): void {
    const { served: before } = this.#progress;
    change(performance.now());
    const { served, nextAt } = this.#progress;
    if (this.#isStopped) return;
    this.#alarm.set(nextAt);
    if (served !== undefined && served !== before) this.#ports.served(served);
  }

  /** The networks in which a Service is, or its load balancers are. */
  #networksOf(key: string): ReadonlySet<string> {
    const all = [...(this.#services.desired(key) ?? []), ...(this.#byOwner.get(key) ?? [])];
    return new Set(all.map(({ networkName }) => networkName));
  }

  #takeFound({ switches, loadBalancers }: LoadBalancersSnapshot): void {
    const { removed, added } = listChanges(this.#found, loadBalancers);
    for (const each of removed) removeFrom(this.#byOwner, each.owner, each);
    for (const each of added) addTo(this.#byOwner, each.owner, each);
    for (const { owner } of [...removed, ...added]) this.#pending.add(owner);
    this.#found = loadBalancers;
    const isSame = JSON.stringify(switches) === JSON.stringify(this.#switches);
    this.#switches = switches;
    // A network that is there now has none of them yet.
    if (!isSame) this.#lookAtAll();
  }

  /** Takes over what cannot be read. Of a Service that went meanwhile nothing else tells that its load balancers may go now. */
  #takeUnreadable({ unreadable }: ServedObjects): void {
    if (JSON.stringify(unreadable) !== JSON.stringify(this.#unreadable)) this.#lookAtAll();
    this.#unreadable = unreadable;
  }

  #lookAtAll(): void {
    for (const keys of [this.#services.keys, this.#byOwner.keys()]) for (const key of keys) this.#pending.add(key);
  }

  /** The switches of pods on this node, by network. */
  #switchNames(node: string): ReadonlyMap<string, string> {
    return new Map(
      this.#switches
        .filter(({ name, networkName }) => name === logicalNetworkNames(networkName, node).nodeSwitch)
        .map(({ name, networkName }) => [networkName, name]),
    );
  }

  #changesOf(key: string, switches: ReadonlyMap<string, string>): readonly ServiceChanges[] {
    const desired = this.#services.desired(key);
    const found = [...(this.#byOwner.get(key) ?? [])];
    const changes = loadBalancerChanges(desired, found, (network) => switches.get(network));
    if (changes.length === 0) {
      this.#pending.delete(key);
      return [];
    }
    const wanted = JSON.stringify(desired?.map((each) => [each, switches.get(each.networkName)]) ?? null);
    return [{ key, changes, wanted }];
  }

  /** Makes changes. What is refused for one Service must not keep others from being served. */
  async #applyAll(changed: readonly ServiceChanges[], begin: number): Promise<Attempt> {
    const refused = new Map<string, string>();
    for (const batch of batchesOf(changed)) {
      const result = await this.#apply(batch, begin);
      if (result.done) continue;
      if (result.isRefused !== true) return { refused, error: result.error };
      for (const each of batch) {
        const alone = batch.length === 1 ? result : await this.#apply([each], begin);
        if (!alone.done) refused.set(each.key, alone.error);
      }
    }
    return { refused };
  }

  async #apply(batch: readonly ServiceChanges[], begin: number): Promise<MadeChange> {
    const changes = batch.flatMap((each) => each.changes);
    const orphaned = endedWithDeleted(batch.flatMap((each) => this.#deletedBy(each)));
    const result = await this.#ports.loadBalancers.apply(changes);
    if (!result.done) return result;
    this.#ends.add(orphaned);
    if (result.number !== undefined) this.#followChanges(batch, result.number, begin);
    return result;
  }

  /** Follows changes that were made until OVN has confirmed them. @param number that of their transaction */
  #followChanges(batch: readonly ServiceChanges[], number: number, begin: number): void {
    const services = new Map(
      batch.map(({ key, wanted }) => [key, { networks: this.#networksOf(key), wanted }] as const),
    );
    const transaction = this.#progress.changed(services, performance.now());
    const changes = batch.reduce((sum, each) => sum + each.changes.length, 0);
    this.#confirmations.follow(number, () => {
      const milliseconds = performance.now() - begin;
      this.#ports.report({ kind: 'services-programmed', changes, milliseconds });
      this.#follow((now) => this.#progress.confirmed(transaction, now));
    });
  }

  /** The load balancers of a Service that are deleted. */
  #deletedBy({ key, changes }: ServiceChanges): readonly FoundLoadBalancer[] {
    const deleted = new Set(changes.flatMap((change) => (change.verb === 'remove' ? [change.uuid] : [])));
    return [...(this.#byOwner.get(key) ?? [])].filter(({ uuid }) => deleted.has(uuid));
  }
}
