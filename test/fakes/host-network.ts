import { meaningOf, type NodeSnapshot } from '../../src/domain/index.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import type { HostNetwork, HostOperation, HostSnapshot } from '../../src/ports/host-network.ts';
import { inFile, type Reading } from '../../src/ports/input-problem.ts';
import { completeNode } from '../../src/testing/index.ts';

type Link = HostSnapshot['links'][number];

/** A node without any device but lo, with the rules that every one has. */
const bare: NodeSnapshot = completeNode({ nodeName: 'fake' });

/** The kernel's network in memory, after the model of the domain. It fails when it is told to. */
export class FakeHostNetwork implements HostNetwork {
  #node: NodeSnapshot;
  #failure: string | undefined;
  #listener = (): void => undefined;

  constructor(snapshot: Partial<HostSnapshot> = {}) {
    this.#node = { ...bare, ...snapshot };
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
    const meaning = meaningOf(operation);
    const entities = this.#node;
    const change = meaning.effect(operation, entities);
    if (!change.done) return Promise.resolve({ done: false, error: change.refusal, isRefused: true });
    this.become(change.node);
    return Promise.resolve({ done: true, ...(meaning.displaces && { before: { entities, isComplete: true } }) });
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  close(): Promise<void> {
    this.#listener = () => undefined;
    this.#failure = 'is not read any more';
    return Promise.resolve();
  }

  /** Somebody else changes the network, or the kernel does. */
  become(snapshot: Partial<HostSnapshot>): void {
    this.#node = { ...this.#node, ...snapshot };
    this.#listener();
  }

  /** An administrator makes a device that is up. */
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
    this.become({ links: [...this.#node.links, link] });
  }

  /** An administrator removes a device, and the kernel all that is on it. */
  removeLink(name: string): void {
    const { links, routes, neighbours, neighbourProxies, nextHopObjects } = this.#node;
    const isElsewhere = ({ device }: { readonly device?: string | undefined }) => device !== name;
    this.become({
      links: links.filter((link) => link.name !== name),
      routes: routes.filter(({ nextHops }) => nextHops.every(isElsewhere)),
      neighbours: neighbours.filter(isElsewhere),
      neighbourProxies: neighbourProxies.filter(isElsewhere),
      nextHopObjects: nextHopObjects.filter(isElsewhere),
    });
  }

  /** Somebody gives a device another name. What it has stays, by that name. */
  renameLink(name: string, newName: string): void {
    const called = (each: string) => (each === name ? newName : each);
    this.become({
      links: this.#node.links.map((link) => ({
        ...link,
        name: called(link.name),
        ...(link.master !== undefined && { master: called(link.master) }),
      })),
      routes: this.#node.routes.map((route) => ({
        ...route,
        nextHops: route.nextHops.map((hop) =>
          hop.device === undefined ? hop : { ...hop, device: called(hop.device) },
        ),
      })),
    });
  }

  /** Cannot be read from now on, and applies nothing. */
  fail(reason: string): void {
    this.#failure = reason;
    this.#listener();
  }

  /** Ends a failure. */
  heal(): void {
    this.#failure = undefined;
    this.#listener();
  }
}
