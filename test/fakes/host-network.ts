import { semanticsOf, type NodeSnapshot } from '../../src/domain/index.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import type {
  HostChange,
  HostNetwork,
  HostOperation,
  HostSnapshot,
  NeighbourSnapshot,
} from '../../src/ports/node/host-network.ts';
import { inFile, type Reading } from '../../src/ports/input-problem.ts';
import { mapReading } from '../../src/ports/readings.ts';
import { completeNode } from '../../src/testing/index.ts';

type Link = HostSnapshot['links'][number];

/** A node with no device except lo, and the kernel's default rules. */
const emptyNode: NodeSnapshot = completeNode({ nodeName: 'fake' });

function isOfNeighbours(snapshot: Partial<HostSnapshot>): boolean {
  return Object.keys(snapshot).every((key) => key === 'neighbours' || key === 'neighbourProxies');
}

/** The kernel's network in memory, by the node model. It can be made to fail. */
export class FakeHostNetwork implements HostNetwork {
  #node: NodeSnapshot;
  #failure: string | undefined;
  #listener: (change: HostChange) => void = () => undefined;
  /** Reports why changes may be noticed late. */
  reportProblem: (problem: string) => void = () => undefined;

  constructor(snapshot: Partial<HostSnapshot> = {}) {
    this.#node = { ...emptyNode, ...snapshot };
  }

  read(): Promise<Reading<HostSnapshot>> {
    if (this.#failure !== undefined) {
      return Promise.resolve({ read: false, problems: [{ origin: inFile('ip'), message: this.#failure }] });
    }
    const { links, routes, nextHopObjects, rules, neighbours, neighbourProxies, devlinkPorts } = this.#node;
    const value = { links, routes, nextHopObjects, rules, neighbours, neighbourProxies, devlinkPorts };
    return Promise.resolve({ read: true, value });
  }

  apply(operation: HostOperation): Promise<ApplyResult> {
    if (this.#failure !== undefined) return Promise.resolve({ done: false, error: this.#failure });
    // The model refuses only what the kernel refuses.
    const semantics = semanticsOf(operation);
    const entities = this.#node;
    const result = semantics.effect(operation, entities);
    if (!result.done) return Promise.resolve({ done: false, error: result.refusal, isRefused: true });
    this.change(result.node);
    return Promise.resolve({ done: true, ...(semantics.displaces && { before: { entities, isComplete: true } }) });
  }

  async readNeighbours(): Promise<Reading<NeighbourSnapshot>> {
    return mapReading(await this.read(), ({ neighbours, neighbourProxies }) => ({ neighbours, neighbourProxies }));
  }

  onChange(listener: (change: HostChange) => void, reportProblem: (problem: string) => void = () => undefined): void {
    this.#listener = listener;
    this.reportProblem = reportProblem;
  }

  close(): Promise<void> {
    this.#listener = () => undefined;
    this.#failure = 'is closed';
    return Promise.resolve();
  }

  /** Changes the network, as another program or the kernel would. */
  change(snapshot: Partial<HostSnapshot>): void {
    this.#node = { ...this.#node, ...snapshot };
    this.#listener(isOfNeighbours(snapshot) ? 'neighbours' : 'hostNetwork');
  }

  /** Adds a device that is up. */
  addLink(name: string): void {
    const index = Math.max(0, ...this.#node.links.map((link) => link.index)) + 1;
    const link: Link = {
      index,
      name,
      kind: 'dummy',
      up: true,
      operationalState: 'unknown',
      mtu: 1500,
      type: 'ether',
      macAddress: `02:00:00:00:00:${index.toString(16).padStart(2, '0')}`,
      addresses: [],
    };
    this.change({ links: [...this.#node.links, link] });
  }

  /** Removes a device, with everything that the kernel removes then. */
  removeLink(name: string): void {
    const { links, routes, neighbours, neighbourProxies, nextHopObjects } = this.#node;
    const isElsewhere = ({ device }: { readonly device?: string | undefined }) => device !== name;
    this.change({
      links: links.filter((link) => link.name !== name),
      routes: routes.filter(({ nextHops }) => nextHops.every(isElsewhere)),
      neighbours: neighbours.filter(isElsewhere),
      neighbourProxies: neighbourProxies.filter(isElsewhere),
      nextHopObjects: nextHopObjects.filter(isElsewhere),
    });
  }

  /** Renames a device. */
  renameLink(name: string, newName: string): void {
    const renamed = (each: string) => (each === name ? newName : each);
    this.change({
      links: this.#node.links.map((link) => ({
        ...link,
        name: renamed(link.name),
        ...(link.master !== undefined && { master: renamed(link.master) }),
      })),
      routes: this.#node.routes.map((route) => ({
        ...route,
        nextHops: route.nextHops.map((hop) =>
          hop.device === undefined ? hop : { ...hop, device: renamed(hop.device) },
        ),
      })),
    });
  }

  /** Makes reads and operations fail until `recover`. */
  fail(reason: string): void {
    this.#failure = reason;
    this.#listener('hostNetwork');
  }

  recover(): void {
    this.#failure = undefined;
    this.#listener('hostNetwork');
  }
}
