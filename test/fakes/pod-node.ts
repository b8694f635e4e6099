/**
 * A node with pods in memory: databases, namespaces, and the plugin that acts in them. Each call of a port can fail, or can be the last one before the agent
 * is killed.
 */
import { POD_NETWORKS_ANNOTATION } from '../../src/domain/basics/conventions.ts';
import { lastByObject } from '../../src/domain/basics/incremental/by-identity.ts';
import { logicalNetworkNames } from '../../src/domain/network/names/logical-network.ts';
import type { ObservedNamespace, PluginStep, PodInterface, StepOutcome } from '../../src/domain/pods/cni/messages.ts';
import type { PodIdentity } from '../../src/domain/pods/cni/environment.ts';
import { annotatedAddresses } from '../../src/domain/pods/pod-annotation.ts';
import type { LogicalPort, ObservedPodSwitchPort, PodSwitchPort } from '../../src/domain/pods/leftovers.ts';
import type { PodFacts } from '../../src/domain/pods/pod-attachment.ts';
import type { PodSurroundings } from '../../src/domain/pods/default-services.ts';
import type { LockSurroundings } from '../../src/domain/pods/interface-lock.ts';
import type { PodKey } from '../../src/domain/pods/pod-key.ts';
import type { Pod } from '../../src/domain/api/pod.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import { awaited, Changes } from '../../src/ports/changes.ts';
import type { CniPlugin } from '../../src/ports/pods/cni-agent.ts';
import type { LogicalPortsSnapshot, NetworkSwitch, ReleasedByNetwork } from '../../src/ports/node/logical-ports.ts';
import type { AttachStepReport, PodReport } from '../../src/ports/pods/pod-report.ts';
import type { Reading } from '../../src/ports/input-problem.ts';
import type { PodPorts } from '../../src/control/pods/pod-ports.ts';
import { FakeLocks } from './interface-locks.ts';

/** Thrown where the agent is killed. */
export class Killed extends Error {}

/** Thrown where the agent has a defect. */
export class Defect extends Error {}

/** A disturbance of a call of a port. */
export type Disturbance = 'killed-before' | 'killed-after' | 'throws-before' | 'throws-after' | 'fails';

/** Name of the host’s end of eth0 in a namespace. */
function peerName(netns: string): string {
  return `veth-${netns.replace(/.*\//, '')}`;
}

interface FakeLink {
  readonly podInterface: PodInterface;
}

/** A port that did not change is the same object. */
const observedPort = lastByObject<ObservedPodSwitchPort>();

const unread = (file: string) => ({
  read: false as const,
  problems: [{ origin: { kind: 'file' as const, file }, message: 'cannot be read' }],
});

export class FakePodNode {
  facts: Omit<PodFacts, 'pod'> & { readonly pods: readonly Pod[] };
  logicalPorts: readonly LogicalPort[] = [];
  released: readonly ReleasedByNetwork[] = [];
  switchPorts: readonly PodSwitchPort[] = [];
  /** Interfaces of ovn-uplinks by namespace and name. */
  readonly links = new Map<string, FakeLink>();
  /** Interfaces of others, as `NAMESPACE NAME`. */
  readonly foreignLinks = new Set<string>();
  /** Namespaces that exist. */
  readonly namespaces = new Set<string>(['/run/netns/web', '/run/netns/next']);
  /** The locks of pods' eth0, which determine the traffic that passes it. */
  readonly locks = new FakeLocks([
    { name: 'veth-web', index: 101 },
    { name: 'veth-next', index: 102 },
  ]);
  /** The destinations that pods may reach by eth0; undefined as long as they are not known. */
  surroundings: PodSurroundings | undefined = {
    nodeAddresses: ['172.18.0.2'],
    services: [{ protocol: 'tcp', address: '10.96.0.1', port: 443 }],
    addresses: ['10.96.0.1', '10.96.0.10'],
    missing: [],
  };
  /** The switches that the networks' rows have; undefined for all. */
  switches: readonly NetworkSwitch[] | undefined;
  /** The id that is claimed for each network. */
  networkId = 1;
  /** The router of the network answers. */
  hasAnswer = true;
  /** OVN installs flows. */
  isOvnRunning = true;
  now = 1000;
  readonly reports: Exclude<PodReport, AttachStepReport>[] = [];
  /** Steps of attaching pods that have ended. */
  readonly steps: AttachStepReport[] = [];
  /** Calls of ports so far, by name. */
  readonly calls: string[] = [];
  #disturbed: { readonly at: number; readonly how: Disturbance } | undefined;
  #hasFailed = false;
  #isKilled = false;
  readonly #objectChanges = new Changes();
  readonly #portChanges = new Changes();

  constructor(facts: FakePodNode['facts']) {
    this.facts = facts;
  }

  /** Disturbs one of the next calls. @param at its number from now on, from 0 */
  disturb(at: number, how: Disturbance): void {
    this.#disturbed = { at: this.calls.length + at, how };
  }

  /** Another agent takes the place of one that was killed. */
  startAgent(): void {
    this.#isKilled = false;
  }

  /** Changes objects of the cluster. */
  change(facts: Partial<FakePodNode['facts']>): void {
    this.facts = { ...this.facts, ...facts };
    this.#objectChanges.notify();
  }

  /** Everything that attachments leave, for comparison. */
  remains() {
    return {
      logicalPorts: this.logicalPorts,
      switchPorts: this.switchPorts,
      links: [...this.links.keys()],
      locks: this.locks.all,
    };
  }

  /** The node restarts: databases of OVN and Open vSwitch are files, namespaces and rules of the kernel are not. */
  reboot(): void {
    this.locks.restart();
    this.links.clear();
    this.namespaces.clear();
  }

  /** Runs a call as disturbed. @param failed what it returns if it fails */
  #call<Result>(name: string, work: () => Result, failed: Result): Promise<Result> {
    if (this.#isKilled) return Promise.reject(new Killed(name));
    const number = this.calls.push(name) - 1;
    const how = this.#disturbed?.at === number ? this.#disturbed.how : undefined;
    if (this.#hasFailed) return Promise.resolve(failed);
    if (how === 'fails') return Promise.resolve(failed);
    this.#isKilled = how === 'killed-before' || how === 'killed-after';
    const thrown = this.#isKilled ? new Killed(name) : new Defect(name);
    if (how === 'killed-before' || how === 'throws-before') return Promise.reject(thrown);
    const result = work();
    return how === undefined ? Promise.resolve(result) : Promise.reject(thrown);
  }

  #write(name: string, work: () => void): Promise<ApplyResult> {
    const done = () => {
      work();
      this.#goOn();
      return { done: true as const };
    };
    return this.#call<ApplyResult>(name, done, { done: false, error: `${name} failed` });
  }

  #hasDevice(name: string): boolean {
    return [...this.links.values()].some(({ podInterface }) => podInterface.hostInterface === name);
  }

  #isInstalled({ portName, pod }: PodSwitchPort): boolean {
    return (
      this.isOvnRunning && this.logicalPorts.some(({ name, pod: { uid } }) => name === portName && uid === pod.uid)
    );
  }

  async #installed(name: string, milliseconds: number, signal: AbortSignal): Promise<boolean> {
    const look = () => {
      const port = this.switchPorts.find((each) => each.name === name);
      return Promise.resolve(port === undefined ? false : this.#isInstalled(port) || undefined);
    };
    return (await awaited([this.ports.switchPorts], look, milliseconds, signal)) ?? false;
  }

  /** Has OVN serve a port. */
  install({ portName, pod, networkName, mac }: PodSwitchPort): void {
    const port = { name: portName, switchName: '', networkName, definition: '', pod, addresses: [], mac };
    this.logicalPorts = [...this.logicalPorts, port];
    this.#goOn();
  }

  /** Has the networks' rows of these switches. */
  program(switches: readonly NetworkSwitch[]): void {
    this.switches = switches;
    this.#goOn();
  }

  /** Has the surroundings of pods known, or not. */
  /** Has other destinations be known; those of routes that are not said are none. */
  surround(surroundings: (LockSurroundings & Partial<PodSurroundings>) | undefined): void {
    this.surroundings = surroundings && { addresses: [], missing: [], ...surroundings };
    this.#objectChanges.notify();
  }

  /** Has databases answer no more. */
  fail(): void {
    this.#hasFailed = true;
  }

  /** Those that are there, or those of all networks. */
  get #switches(): readonly NetworkSwitch[] {
    const { networks, node } = this.facts;
    const all = networks.map(({ networkName }) => ({
      name: logicalNetworkNames(networkName, node?.metadata.name ?? '').nodeSwitch,
      networkName,
      networkId: this.networkId,
    }));
    return this.switches ?? all;
  }

  #goOn(): void {
    this.#portChanges.notify();
  }

  get ports(): PodPorts {
    const { locks } = this;
    return {
      surroundings: {
        read: () =>
          this.surroundings === undefined
            ? unread('Service/default/kubernetes')
            : { read: true, value: this.surroundings },
        onChange: (listener) => this.#objectChanges.listen(listener),
      },
      locks: {
        read: () => this.#call('read locks', () => locks.readNow(), unread('nft')),
        known: () => this.#call('read locks', () => locks.knownNow(), unread('nft')),
        put: (wanted) =>
          wanted.length === 0 ? Promise.resolve({ done: true }) : this.#write('lock', () => locks.putNow(wanted)),
        remove: (indexes) =>
          indexes.length === 0
            ? Promise.resolve({ done: true })
            : this.#write('unlock', () => locks.removeNow(indexes)),
        clear: () => this.#write('clear locks', () => locks.clearNow()),
        onChange: (...listeners) => locks.onChange(...listeners),
      },
      now: () => this.now,
      report: (report) => {
        if (report.kind === 'attach-step') this.steps.push(report);
        else this.reports.push(report);
      },
      cluster: {
        facts: ({ namespace, name }: PodIdentity) => {
          const { pods, ...facts } = this.facts;
          const pod = pods.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
          return { ...facts, pod };
        },
        networkId: () => this.networkId,
        pods: () =>
          this.facts.pods.map(({ metadata: { namespace = '', name, uid = '' } }): PodKey => ({ namespace, name, uid })),
        annotated: () =>
          this.facts.pods.flatMap(({ metadata: { namespace = '', name, uid = '', annotations } }) => {
            const definition = `${namespace}/${this.facts.networks[0]?.metadata.name ?? ''}`;
            const addresses = annotatedAddresses(annotations?.[POD_NETWORKS_ANNOTATION], definition);
            return addresses === undefined ? [] : [{ pod: { namespace, name, uid }, addresses, createdAt: '' }];
          }),
        onChange: (listener) => this.#objectChanges.listen(listener),
        annotate: (pod, change) =>
          this.#write('annotate', () => {
            const pods = this.facts.pods.map((each): Pod => {
              if (each.metadata.uid !== pod.uid) return each;
              const key = POD_NETWORKS_ANNOTATION;
              const former = each.metadata.annotations?.[key];
              const text = change(former);
              if (text === former) return each;
              return { ...each, metadata: { ...each.metadata, annotations: { [key]: text } } };
            });
            this.facts = { ...this.facts, pods };
          }),
      },
      logicalPorts: {
        read: () =>
          this.#call<Reading<LogicalPortsSnapshot>>(
            'read logical ports',
            () => ({
              read: true,
              value: { switches: this.#switches, ports: this.logicalPorts, released: this.released },
            }),
            unread('ovnnb_db.sock'),
          ),
        put: (port) =>
          !this.#switches.some(({ name, networkName }) => name === port.switchName && networkName === port.networkName)
            ? Promise.resolve({ done: false, error: `there is no Logical_Switch ${port.switchName}` })
            : this.#write('put logical port', () => {
                this.logicalPorts = [...this.logicalPorts.filter(({ name }) => name !== port.name), port];
              }),
        remove: (port, now) =>
          this.#write('remove logical port', () => {
            const isIt = (each: LogicalPort) => each.name === port.name && each.pod.uid === port.pod.uid;
            const gone = this.logicalPorts.filter(isIt);
            this.logicalPorts = this.logicalPorts.filter((each) => !isIt(each));
            const again = new Set(gone.flatMap(({ addresses }) => addresses));
            this.released = [
              ...this.released.filter(({ address, releasedAt }) => now - releasedAt < 60 && !again.has(address)),
              ...gone.flatMap(({ networkName, addresses }) =>
                addresses.map((address) => ({ networkName, address, releasedAt: now })),
              ),
            ];
          }),
        onChange: (listener) => this.#portChanges.listen(listener),
      },
      switchPorts: {
        read: () =>
          this.#call<Reading<readonly ObservedPodSwitchPort[]>>(
            'read switch ports',
            () => ({
              read: true,
              value: this.switchPorts.map((port) => {
                const [hasDevice, isInstalled] = [this.#hasDevice(port.name), this.#isInstalled(port)];
                return observedPort(port, [hasDevice, isInstalled], () => ({ ...port, hasDevice, isInstalled }));
              }),
            }),
            unread('db.sock'),
          ),
        add: (port) =>
          this.#write('add switch port', () => {
            this.switchPorts = [...this.switchPorts.filter(({ name }) => name !== port.name), port];
          }),
        remove: (name) =>
          this.#write('remove switch port', () => {
            this.switchPorts = this.switchPorts.filter((port) => port.name !== name);
          }),
        installed: async (name, milliseconds, signal) => {
          const failed = Promise.resolve(false);
          return await this.#call('wait for flows', () => this.#installed(name, milliseconds, signal), failed);
        },
        onChange: (listener) => this.#portChanges.listen(listener),
      },
    };
  }

  /** The plugin that a runtime has started for a namespace. */
  plugin(netns: string, ifname: string, ended = new AbortController().signal): CniPlugin {
    const failed = { done: false, error: 'the step failed' };
    return { ended, take: (step) => this.#call(`plugin: ${step.step}`, () => this.#take(step, netns, ifname), failed) };
  }

  #take(step: PluginStep, netns: string, ifname: string): StepOutcome {
    const key = `${netns} ${ifname}`;
    const isThere = this.namespaces.has(netns);
    const gone: StepOutcome = { done: false, reason: 'no-namespace', error: `${netns} is gone` };
    switch (step.step) {
      case 'observe':
        return isThere ? { done: true, observed: this.observed(netns, ifname) } : gone;
      case 'attach':
        if (!isThere) return gone;
        this.links.set(key, { podInterface: step.attach });
        return { done: true };
      case 'detach':
        this.links.delete(key);
        return { done: true };
      case 'probe':
        return this.hasAnswer ? { done: true } : { done: false, reason: 'no-answer', error: 'no answer within 10 ms' };
    }
  }

  /** The namespace of a pod, with eth0 of the default network. */
  observed(netns: string, ifname: string): ObservedNamespace {
    const eth0 = { destination: '0.0.0.0/0', gateway: '10.244.0.1', interface: 'eth0' };
    const found = this.links.get(`${netns} ${ifname}`)?.podInterface;
    const foreign = { mac: '02:00:00:00:00:01', mtu: 1500, alias: '', isUp: true, addresses: [] };
    const own = found && { mac: found.mac, mtu: found.mtu, alias: found.alias, isUp: true, addresses: found.addresses };
    const link = own ?? (this.foreignLinks.has(`${netns} ${ifname}`) ? foreign : undefined);
    const routes = (found?.routes ?? []).map((each) => ({ ...each, interface: each.interface || ifname }));
    const peer = this.locks.devices.find(({ name }) => name === peerName(netns));
    const interfaces = [{ name: 'eth0', ...(peer && { peer }) }];
    return { ...(link && { link }), interfaces, routes: [eth0, ...routes], answers: found?.answers ?? [] };
  }
}
