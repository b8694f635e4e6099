/**
 * A cluster in which ids are claimed and used: two cluster managers that both take themselves for the leader, and nodes that see changes late, are cut
 * off, are deleted while they run, and register again. The API is a store with one version of each object; every view of it may be old.
 *
 * It states what an agent has to do, so that networks never mix (docs/design/networks.md, "Ids"): say that it reports, report before it uses an id,
 * read the claim after that, and let others know of it only then.
 */
import {
  type Claiming,
  claimIds,
  claimKey,
  type IdHolder,
  idsInUse,
  type IdUsage,
  type ReportingNode,
} from '../../../src/domain/network/allocation/claim-ids.ts';
import { type IdClaims, noClaims } from '../../../src/domain/network/allocation/id-claim.ts';

/** The ids that a node may use whose report is missing. */
const everything: IdUsage = {
  networks: new Set(Array.from({ length: 100 }, (_, index) => index + 1)),
  removedNodes: new Set(),
};

/** The parts of the protocol that a seeded fault replaces. */
export interface Protocol {
  readonly claimIds: typeof claimIds;
  readonly idsInUse: typeof idsInUse;
  /** Whether an agent reports the ids that it will use before it reads their claims. */
  readonly reportsFirst: boolean;
  /** Whether an agent reads the claims of the ids that it uses. */
  readonly readsClaims: boolean;
  /** The ids that a node has used that says that it reports and has no report. */
  readonly unreported: IdUsage | undefined;
}

export const protocol: Protocol = {
  claimIds,
  idsInUse,
  reportsFirst: true,
  readsClaims: true,
  unreported: everything,
};

interface NetworkObject extends IdHolder {
  /** Published by a cluster manager; the same as `given`. */
  readonly given?: number;
}

interface NodeObject extends IdHolder, ReportingNode {
  /** Whether it says that it reports. */
  readonly isReporting?: boolean;
  /** Whether its agent has published its chassis, without which other nodes do not send to it. */
  readonly hasChassis?: boolean;
}

interface Objects {
  readonly networks: ReadonlyMap<string, NetworkObject>;
  readonly nodes: ReadonlyMap<string, NodeObject>;
}

const nothingThere: Objects = { networks: new Map(), nodes: new Map() };

const keyOf = ({ name, uid }: Pick<IdHolder, 'name' | 'uid'>) => `${name} ${uid}`;

/** A machine that runs an agent, or did before it was cut off. */
interface Machine {
  readonly name: string;
  isCutOff: boolean;
  seen: Objects;
  /** Its rows: the network of each id. */
  readonly networks: Map<number, string>;
  /** The nodes that it exchanges packets with: the claimant of each id. */
  readonly chassis: Map<number, string>;
}

interface Manager {
  claims: IdClaims;
  version: number;
  /** Read after the claims: a node that is gone would be taken for one that others may send to. */
  nodes: ReadonlyMap<string, NodeObject>;
  networks: ReadonlyMap<string, NetworkObject>;
}

/** The networks that an agent sees, by id. */
function wantedNetworks({ networks }: Objects): ReadonlyMap<number, string> {
  return new Map(
    [...networks.values()].flatMap((each) => (each.given === undefined ? [] : [[each.given, keyOf(each)] as const])),
  );
}

function hasChassis({ chassis }: Machine, { name }: Machine): boolean {
  return [...chassis.values()].some((claimant) => claimant.startsWith(`${name} `));
}

/** Networks of two nodes that mix. */
export interface Mixing {
  readonly id: number;
  readonly nodes: readonly [string, string];
  readonly networks: readonly [string, string];
}

export class ClusterModel {
  readonly #protocol: Protocol;
  #objects = nothingThere;
  #claims = noClaims;
  #version = 0;
  #created = 0;
  readonly #managers: readonly Manager[];
  readonly #machines: Machine[];
  readonly reached = new Set<string>();

  constructor(rules: Protocol, machines: readonly string[]) {
    this.#protocol = rules;
    const manager = () => ({ claims: noClaims, version: 0, nodes: new Map(), networks: new Map() });
    this.#managers = [manager(), manager()];
    this.#machines = machines.map((name) => ({
      name,
      isCutOff: false,
      seen: nothingThere,
      networks: new Map(),
      chassis: new Map(),
    }));
  }

  /** Creates a network, or deletes it. */
  toggleNetwork(name: string): void {
    this.#objects = { ...this.#objects, networks: this.#toggled(this.#objects.networks, name) };
  }

  /** Deletes the object of a node, whose machine goes on, or registers it. */
  toggleNode(name: string): void {
    this.#objects = { ...this.#objects, nodes: this.#toggled(this.#objects.nodes, name) };
  }

  /** Cuts a machine off from the API, or connects it again. It may be connected to other machines all the time. */
  toggleConnection(machine: number): void {
    const found = this.#machine(machine);
    found.isCutOff = !found.isCutOff;
  }

  /** Deletes the report of a node, as an administrator. */
  deleteReport(name: string): void {
    const node = this.#objects.nodes.get(name);
    if (node === undefined) return;
    const { report: _, ...rest } = node;
    this.#replaceNode(rest);
  }

  /** A manager reads the claims, and the nodes with their reports after them. Its view of networks may be as old as it was. */
  readClaims(manager: number): void {
    const found = this.#manager(manager);
    found.claims = this.#claims;
    found.version = this.#version;
    found.nodes = this.#objects.nodes;
  }

  /** A manager sees the networks as they are. */
  readNetworks(manager: number): void {
    this.#manager(manager).networks = this.#objects.networks;
  }

  /** A manager stores the claims that it finds right, unless another one has stored claims since it read them. */
  storeClaims(manager: number): void {
    const { version, claims, networks, nodes } = this.#manager(manager);
    if (version !== this.#version) {
      this.reached.add('lost race');
      return;
    }
    const inUse = this.#inUse(claims, nodes);
    const next: IdClaims = {
      network: this.#claiming('network', claims, networks, inUse.network).claims,
      node: this.#claiming('node', claims, nodes, inUse.node).claims,
    };
    if (
      claims.network.some(
        ({ id, released }) => released && next.network.every((claim) => claim.id !== id || !claim.released),
      )
    ) {
      this.reached.add('id is free again');
    }
    this.#claims = next;
    this.#version += 1;
  }

  /** A manager publishes the ids that are claimed. */
  publishIds(manager: number): void {
    const { claims, networks, nodes } = this.#manager(manager);
    const inUse = this.#inUse(claims, nodes);
    this.#objects = {
      networks: this.#withIds(
        this.#objects.networks,
        this.#claiming('network', claims, networks, inUse.network),
        networks,
      ),
      nodes: this.#withIds(this.#objects.nodes, this.#claiming('node', claims, nodes, inUse.node), nodes),
    };
  }

  /** An agent sees the networks as they are. */
  observeNetworks(machine: number): void {
    const found = this.#machine(machine);
    if (!found.isCutOff) found.seen = { ...found.seen, networks: this.#objects.networks };
  }

  /** An agent sees the nodes as they are. */
  observeNodes(machine: number): void {
    const found = this.#machine(machine);
    if (!found.isCutOff) found.seen = { ...found.seen, nodes: this.#objects.nodes };
  }

  /** An agent removes the networks that it does not see any more, and the nodes whose claims are released. */
  remove(machine: number): void {
    const { seen, networks, chassis, isCutOff } = this.#machine(machine);
    const wanted = wantedNetworks(seen);
    for (const [id, network] of networks) if (wanted.get(id) !== network) networks.delete(id);
    if (isCutOff) return;
    for (const claim of this.#claims.node) {
      if (claim.released && chassis.get(claim.id) === keyOf(claim)) chassis.delete(claim.id);
    }
  }

  /** An agent says that it reports. Where its node was registered again it begins anew: no claim has waited for the former one. */
  announce(machine: number): void {
    const { name, chassis, isCutOff } = this.#machine(machine);
    const node = this.#objects.nodes.get(name);
    if (isCutOff || node === undefined || node.isReporting === true) return;
    chassis.clear();
    this.#replaceNode({ ...node, isReporting: true });
  }

  /** An agent reports what it has and is about to have. */
  report(machine: number): void {
    const { name, seen, networks, chassis, isCutOff } = this.#machine(machine);
    const node = this.#objects.nodes.get(name);
    if (isCutOff || node?.isReporting !== true) return;
    const wanted = this.#protocol.reportsFirst ? wantedNetworks(seen).keys() : [];
    const removed = this.#claims.node.filter((claim) => claim.released && chassis.get(claim.id) !== keyOf(claim));
    const report: IdUsage = {
      networks: new Set([...networks.keys(), ...wanted]),
      removedNodes: new Set(removed.map(claimKey)),
    };
    this.#replaceNode({ ...node, report });
  }

  /** An agent removes the networks that are not claimed, adds those that are and that it has reported, and publishes its chassis. */
  program(machine: number): void {
    const { name, seen, networks, isCutOff } = this.#machine(machine);
    const node = this.#objects.nodes.get(name);
    if (isCutOff || node?.report === undefined) return;
    for (const [id, network] of networks) if (!this.#isClaimed('network', id, network)) networks.delete(id);
    for (const [id, network] of wantedNetworks(seen)) {
      const isReported = !this.#protocol.reportsFirst || node.report.networks.has(id);
      if (!networks.has(id) && isReported && this.#isClaimed('network', id, network)) networks.set(id, network);
    }
    if (node.hasChassis !== true) this.#replaceNode({ ...node, hasChassis: true });
  }

  /** An agent removes the nodes that it does not see any more, and adds those whose chassis is published and whose id is claimed. */
  connect(machine: number): void {
    const { name, seen, chassis, isCutOff } = this.#machine(machine);
    if (isCutOff || this.#objects.nodes.get(name)?.report === undefined) return;
    const others = [...seen.nodes.values()].filter((node) => node.name !== name);
    const ids = new Map(others.flatMap((node) => (node.given === undefined ? [] : [[node.given, node] as const])));
    for (const [id, claimant] of chassis) {
      const node = ids.get(id);
      if (node === undefined || keyOf(node) !== claimant) chassis.delete(id);
    }
    for (const [id, node] of ids) {
      const isReady = node.hasChassis === true && this.#isClaimed('node', id, keyOf(node));
      if (isReady && !chassis.has(id)) chassis.set(id, keyOf(node));
    }
  }

  /** Two nodes that exchange packets, of which one takes those of one network for those of another; absent where there are none. */
  mixing(): Mixing | undefined {
    for (const receiver of this.#machines) {
      for (const sender of this.#machines) {
        // A tunnel has two ends: a node neither sends to nor accepts from a chassis that it does not have.
        if (!hasChassis(receiver, sender) || !hasChassis(sender, receiver)) continue;
        for (const [id, network] of sender.networks) {
          const other = receiver.networks.get(id);
          if (other === undefined) continue;
          this.reached.add(sender.isCutOff || !this.#objects.nodes.has(sender.name) ? 'stray sender' : 'sender');
          if (other !== network) return { id, nodes: [sender.name, receiver.name], networks: [network, other] };
        }
      }
    }
    return undefined;
  }

  #inUse(claims: IdClaims, nodes: ReadonlyMap<string, NodeObject>) {
    const reporting = [...nodes.values()].map(({ name, uid, isReporting, report }): ReportingNode => {
      const known = report ?? (isReporting === true ? this.#protocol.unreported : undefined);
      return { name, uid, ...(known && { report: known }) };
    });
    return this.#protocol.idsInUse(claims, reporting);
  }

  #toggled<Some extends IdHolder>(
    objects: ReadonlyMap<string, Some | IdHolder>,
    name: string,
  ): Map<string, Some | IdHolder> {
    const next = new Map(objects);
    if (next.delete(name)) return next;
    this.#created += 1;
    return next.set(name, { name, uid: String(this.#created), createdAt: String(1e6 + this.#created) });
  }

  #claiming(
    kind: 'network' | 'node',
    claims: IdClaims,
    objects: ReadonlyMap<string, IdHolder>,
    isInUse: (id: number) => boolean,
  ): Claiming {
    return this.#protocol.claimIds(kind, claims[kind], [...objects.values()], isInUse);
  }

  #withIds<Some extends IdHolder>(
    objects: ReadonlyMap<string, Some>,
    { decisions }: Claiming,
    seen: ReadonlyMap<string, IdHolder>,
  ): ReadonlyMap<string, Some> {
    return new Map(
      [...objects].map(([name, object]) => {
        const decision = decisions.get(name);
        const isSame = seen.get(name)?.uid === object.uid;
        return [name, isSame && decision?.kind === 'claimed' ? { ...object, given: decision.id } : object];
      }),
    );
  }

  #isClaimed(kind: 'network' | 'node', id: number, claimant: string): boolean {
    const claim = this.#claims[kind].find((each) => each.id === id);
    return !this.#protocol.readsClaims || (claim !== undefined && keyOf(claim) === claimant && claim.released !== true);
  }

  #replaceNode(node: NodeObject): void {
    this.#objects = { ...this.#objects, nodes: new Map(this.#objects.nodes).set(node.name, node) };
  }

  #manager(index: number): Manager {
    const found = this.#managers[index % this.#managers.length];
    if (found === undefined) throw new Error('there is no manager');
    return found;
  }

  #machine(index: number): Machine {
    const found = this.#machines[index % this.#machines.length];
    if (found === undefined) throw new Error('there is no machine');
    return found;
  }
}
