/**
 * Makes the load balancers of Services in OVN what they should be. A Service that changes costs its own load balancers.
 */
import { listChanges } from '../../domain/basics/incremental/list-changes.ts';
import { byName } from '../../domain/basics/names/ordering.ts';
import { addTo, removeFrom } from '../../domain/basics/names/pairs.ts';
import {
  type FoundLoadBalancer,
  loadBalancerChanges,
  type ParentOf,
} from '../../domain/services/load-balancer-changes.ts';
import { connectionsOfLostPorts, type EndedConnections } from '../../domain/services/ended-connections.ts';
import type { ServedNetwork } from '../../domain/snapshot/served-network.ts';
import { noServedObjects, type ServedObjects, ServicesOnNode } from '../../domain/services/services-on-node.ts';
import type { ServedObjectsSource } from '../../ports/cluster/served-objects.ts';
import { describeProblem, type InputProblem } from '../../ports/input-problem.ts';
import type { LoadBalancers, LoadBalancersSnapshot, MadeChange } from '../../ports/node/load-balancers.ts';
import type { ServiceFlows } from '../../ports/node/service-flows.ts';
import type { ServiceConnections } from '../../ports/node/service-connections.ts';
import type { ServiceReport } from '../../ports/services/service-report.ts';
import type { RepairOutcome, RepairScope } from '../repairs.ts';
import { Alarm } from '../time.ts';
import { Confirmations } from './confirmations.ts';
import { ConnectionEnds, endedWithDeleted } from './connection-ends.ts';
import { parentsOn } from './balancer-parents.ts';
import type { HealthChecks } from './health-checks.ts';
import { batchesOf, type ServiceChanges } from './service-changes.ts';
import { ServedProgress } from './served-progress.ts';
import type { ServiceCluster } from './service-cluster.ts';
import { Wire } from './wire.ts';

const NOT_SERVED = 'Services of networks cannot be served';

/** Needs of the agent. */
export interface ServiceAgentPorts {
  readonly objects: ServedObjectsSource;
  readonly loadBalancers: LoadBalancers;
  readonly connections: ServiceConnections;
  readonly flows: ServiceFlows;
  readonly cluster: Pick<ServiceCluster, 'surroundings'>;
  readonly healthChecks: Pick<HealthChecks, 'set'>;
  /** Takes reports for logs and metrics; must not throw. */
  readonly report: (report: ServiceReport) => void;
  /** Takes how the Services of networks are served, each time that it is something else; must not throw. */
  readonly served: (networks: readonly ServedNetwork[]) => void;
  /** Has it repair again what has changed, as OVN has confirmed something; must not throw. */
  readonly again: () => void;
}

/** Outcome of changes. */
interface Attempt {
  /** Errors of Services whose changes were refused, by their keys. */
  readonly refused: ReadonlyMap<string, string>;
  /** Why the others were not made; absent where they were. */
  readonly error?: string;
}

/** Two attempts as one. */
function withBoth(first: Attempt, second: Attempt): Attempt {
  const error = first.error ?? second.error;
  return { refused: new Map([...second.refused, ...first.refused]), ...(error !== undefined && { error }) };
}

const done: RepairOutcome = { ok: true };

function failed(details: string) {
  return { ok: false, error: { message: NOT_SERVED, details } } as const;
}

const unread = (problems: readonly InputProblem[]) => failed(problems.map(describeProblem).join('; '));

/** Serves Services on a node. */
export class ServiceAgent {
  readonly #ports: ServiceAgentPorts;
  readonly #services = new ServicesOnNode();
  readonly #byOwner = new Map<string, Set<FoundLoadBalancer>>();
  readonly #wire: Wire;
  #found: readonly FoundLoadBalancer[] = [];
  #parents: Pick<LoadBalancersSnapshot, 'switches' | 'routers'> = { switches: [], routers: [] };
  /** Whether these were read. */
  #isRead = false;
  /** Keys of the Services whose load balancers may not be as they should: those that were changed are until they are read as they should be. */
  readonly #pending = new Set<string>();
  readonly #confirmations: Confirmations;
  readonly #ends: ConnectionEnds;
  /** Numbers of transactions with changes of Services that OVN has not confirmed yet, by the keys of these. */
  readonly #unconfirmed = new Map<string, number>();
  readonly #progress = new ServedProgress();
  readonly #alarm = new Alarm(() => this.#follow((now) => this.#progress.look(now)));
  #unreadable = noServedObjects.unreadable;
  #isStopped = false;

  constructor(ports: ServiceAgentPorts) {
    this.#ports = ports;
    const { loadBalancers, connections, flows } = ports;
    this.#wire = new Wire(flows);
    const warn = (text: string) => this.#warn(text);
    this.#confirmations = new Confirmations({ loadBalancers, warn });
    this.#ends = new ConnectionEnds({ loadBalancers, connections, warn });
  }

  /** Makes what has changed as it should be, or everything. Never rejects. */
  async repair(scope: RepairScope): Promise<RepairOutcome> {
    const begin = performance.now();
    const { objects, cluster, loadBalancers, healthChecks } = this.#ports;
    const { surroundings } = cluster;
    // It is called again once there are some.
    if (surroundings === undefined) return done;
    const served = objects.read();
    if (!served.read) return unread(served.problems);
    for (const key of this.#services.take(served.value, surroundings)) {
      this.#pending.add(key);
      const { exposed, healthCheck } = this.#services.desired(key);
      this.#wire.set(key, exposed);
      healthChecks.set(key, healthCheck);
    }
    this.#takeUnreadable(served.value);
    // Before packets find no load balancer.
    const wireError = await this.#wire.close();
    const reading = await loadBalancers.read();
    if (!reading.read) {
      const outcome = unread(reading.problems);
      this.#takeAttempt({ refused: new Map(), error: outcome.error.details }, surroundings.node.name);
      return outcome;
    }
    this.#takeFound(reading.value);
    this.#isRead = true;
    if (scope === 'everything') this.#lookAtAll();
    const parentOf = parentsOn(surroundings.node.name, this.#parents);
    const changed = [...this.#pending].flatMap((key) => this.#changesOf(key, parentOf));
    const lost = await this.#endLost(changed, wireError);
    const balanced = await this.#applyAll(
      changed.filter(({ key }) => !lost.has(key)),
      begin,
    );
    const opened =
      wireError === undefined ? await this.#open(parentOf) : { refused: new Map<string, string>(), error: wireError };
    const attempt = withBoth(withBoth({ refused: lost }, balanced), opened);
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
    const networks = this.#networksOn(node);
    const incomplete = new Set([...this.#pending, ...this.#wire.incomplete]);
    const pending = new Map([...incomplete].map((key) => [key, this.#networksOf(key)]));
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
    const { balancers } = this.#services.desired(key).loadBalancers;
    const all = [...balancers, ...(this.#byOwner.get(key) ?? [])];
    return new Set(all.map(({ networkName }) => networkName));
  }

  #takeFound({ switches, routers, loadBalancers }: LoadBalancersSnapshot): void {
    const { removed, added } = listChanges(this.#found, loadBalancers);
    for (const each of removed) removeFrom(this.#byOwner, each.owner, each);
    for (const each of added) addTo(this.#byOwner, each.owner, each);
    for (const { owner } of [...removed, ...added]) this.#pending.add(owner);
    this.#found = loadBalancers;
    const isSame = JSON.stringify({ switches, routers }) === JSON.stringify(this.#parents);
    this.#parents = { switches, routers };
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

  /** The names of the networks on this node, in order. */
  #networksOn(node: string): readonly string[] {
    const parentOf = parentsOn(node, this.#parents);
    const names = new Set(this.#parents.switches.map(({ networkName }) => networkName));
    return [...names].filter((name) => parentOf(name, 'switch') !== undefined).toSorted(byName);
  }

  /** Has packets from the wire come to Services whose load balancers are where they should be, and confirmed by OVN. */
  async #open(parentOf: ParentOf): Promise<Attempt> {
    return await this.#wire.open((key) => {
      const { balancers } = this.#services.desired(key).loadBalancers;
      const arePlaced = balancers.every(({ networkName, place }) => parentOf(networkName, place) !== undefined);
      return arePlaced && !this.#pending.has(key) && !this.#unconfirmed.has(key);
    });
  }

  #changesOf(key: string, parentOf: ParentOf): readonly ServiceChanges[] {
    const { loadBalancers: desired } = this.#services.desired(key);
    const found = [...(this.#byOwner.get(key) ?? [])];
    const changes = loadBalancerChanges(desired, found, parentOf);
    if (changes.length === 0) {
      this.#pending.delete(key);
      return [];
    }
    const places = desired.balancers.map((each) => [each, parentOf(each.networkName, each.place)]);
    const wanted = JSON.stringify([places, desired.undecided]);
    return [{ key, changes, wanted }];
  }

  /**
   * Ends the connections from the wire to ports that Services lose: packets of new ones do not come any more.
   *
   * @param wireError why they may come all the same
   * @returns errors of Services whose connections have not ended, by their keys
   */
  async #endLost(
    changed: readonly ServiceChanges[],
    wireError: string | undefined,
  ): Promise<ReadonlyMap<string, string>> {
    const lost = changed.flatMap((each) => {
      const ended = this.#lostBy(each);
      return ended.length === 0 ? [] : [{ key: each.key, ended }];
    });
    if (lost.length === 0) return new Map();
    if (wireError !== undefined) return new Map(lost.map(({ key }) => [key, wireError]));
    const result = await this.#ports.connections.end(lost.flatMap(({ ended }) => ended));
    return new Map(
      result.done ? [] : lost.map(({ key }) => [key, `its connections from the wire go on: ${result.error}`]),
    );
  }

  /** The connections from the wire to ports that a Service loses. */
  #lostBy({ key, changes }: ServiceChanges): readonly EndedConnections[] {
    const wayOf = this.#ports.cluster.surroundings?.outside.wayOf;
    const found = new Map([...(this.#byOwner.get(key) ?? [])].map((each) => [each.uuid, each]));
    return changes.flatMap((change): readonly EndedConnections[] => {
      if (change.verb !== 'remove' && change.verb !== 'replace') return [];
      const former = found.get(change.uuid);
      const way = former && wayOf?.(former.networkName);
      if (former?.place !== 'router' || typeof way !== 'object') return [];
      const desired = change.verb === 'replace' ? change.desired : undefined;
      return connectionsOfLostPorts({ found: former, ...(desired && { desired }) }, way.scope.uplink.firstZone);
    });
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
    for (const key of services.keys()) this.#unconfirmed.set(key, transaction);
    this.#confirmations.follow(number, () => {
      for (const [key, last] of this.#unconfirmed) if (last === transaction) this.#unconfirmed.delete(key);
      this.#ports.again();
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
