import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { capturedSituation } from '../../cmd/captured-situation.ts';
import { initialState, type LoopState } from '../../../../src/control/node/state.ts';
import { everyPart, type NodePart } from '../../../../src/control/node/observation/node-part.ts';
import { step } from '../../../../src/control/node/step.ts';
import type { Effect, Publication } from '../../../../src/control/node/effect.ts';
import type { NodeEvent } from '../../../../src/control/node/event.ts';
import type { NodeReport } from '../../../../src/ports/node/node-report.ts';
import {
  type ClusterSnapshot,
  defaultSettings,
  diffNode,
  semanticsOf,
  type NodeSettings,
  type NodeSnapshot,
  type Operation,
  planNode,
  type UplinkState,
} from '../../../../src/domain/index.ts';
import { changesOf, narrowed, type SingleOperation } from '../../../../src/domain/entities/operations/operation.ts';
import { type FieldsWrite, objectText, type ObjectWrite } from '../../../../src/domain/objects/object-write.ts';
import type { ApplyResult } from '../../../../src/ports/apply-result.ts';
import type { InputProblem } from '../../../../src/ports/input-problem.ts';

/** Most observations without time passing: a cause and its effect, a failure and its undo. */
const MAX_OBSERVATIONS = 100;

/** The name of an operation in plans, logs and metrics. */
export function nameOf(operation: Operation): string {
  return semanticsOf(operation).name;
}

/** Whether an operation adds a rule of network blue. */
export function isRuleOfBlue(operation: Operation): boolean {
  return nameOf(operation) === 'add-rule' && operation.networks.includes(clusterNetworkKey('blue'));
}

/** The fields that are read with a part of a node. */
const fieldsOfParts: Readonly<Record<NodePart, readonly (keyof NodeSnapshot)[]>> = {
  neighbours: ['neighbours', 'neighbourProxies'],
  hostNetwork: ['links', 'routes', 'nextHopObjects', 'rules', 'neighbours', 'neighbourProxies', 'devlinkPorts'],
  kernelSettings: ['sysctls', 'kernelRelease', 'bootId', 'uptimeSeconds'],
  switchDatabase: ['switchExternalIds', 'bridges', 'openVSwitchVersion'],
  flowTables: ['flows', 'fdbEntries', 'noFloodPorts', 'bridgesWithoutSwitch'],
  northbound: ['northbound', 'isNorthboundRead', 'isNorthboundOutdated', 'missingNorthboundColumns'],
  packetFilters: ['filterTables', 'forwardDrops'],
  southbound: ['chassis', 'remotePorts', 'isSouthboundOutdated'],
};

/** The initial state of a simulation. */
export interface World {
  readonly cluster: ClusterSnapshot;
  readonly node: NodeSnapshot;
  readonly settings?: NodeSettings;
  readonly once?: boolean;
}

/** The captured node worker-a, and its cluster before any state is written. */
export async function capturedWorld(): Promise<World> {
  const { cluster, nodes } = await capturedSituation();
  return { cluster: { ...cluster, uplinkStates: [] }, node: nodes[0]! };
}

/** The operations that the node still needs. */
export function leftToDo({ cluster, node }: Simulation): readonly Operation[] {
  return diffNode(planNode(cluster, node, defaultSettings), node);
}

/** The writes of a node about itself. */
export interface NodeRegistration {
  readonly report?: FieldsWrite;
  readonly annotations?: FieldsWrite;
}

/** The writes of a publication about the node itself. */
export function registrationIn({ registration }: Publication): NodeRegistration {
  const of = (wanted: string) =>
    registration.flatMap(({ write }) => (write.verb === 'apply' && write.kind === wanted ? [write] : []));
  const [[report], [annotations]] = [of('ConfigMap'), of('Node')];
  return { ...(report && { report }), ...(annotations && { annotations }) };
}

/** A cluster that a node has told of itself. */
function registered(cluster: ClusterSnapshot, { report, annotations }: NodeRegistration): ClusterSnapshot {
  const reports = report && [
    ...cluster.configMaps.filter(({ metadata }) => metadata.name !== report.name),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: report.namespace ?? '', name: report.name, labels: report.metadata?.labels ?? {} },
      data: report.data ?? {},
    },
  ];
  const nodes =
    annotations &&
    cluster.nodes.map((node) =>
      node.metadata.uid === annotations.uid
        ? {
            ...node,
            metadata: {
              ...node.metadata,
              annotations: { ...node.metadata.annotations, ...annotations.metadata?.annotations },
            },
          }
        : node,
    );
  return { ...cluster, ...(reports && { configMaps: reports }), ...(nodes && { nodes }) };
}

/** The UplinkState that is written. */
export function stateIn(write: ObjectWrite): UplinkState {
  const { name, metadata, status } = write.verb === 'apply' ? write : { ...write, metadata: {}, status: {} };
  const object = { apiVersion: 'k8s.ovn.org/v1alpha1', kind: write.kind, metadata: { name, ...metadata }, status };
  return object as unknown as UplinkState;
}

/** A loop with a simulated cluster, node and clock: nothing waits. */
export class Simulation {
  cluster: ClusterSnapshot;
  node: NodeSnapshot;
  now = 1000;
  state: LoopState;
  /** The operations that were applied, in order. */
  readonly operations: Operation[] = [];
  readonly reports: NodeReport[] = [];
  readonly ledgerWrites: number[] = [];
  /** States that were written. */
  writes = 0;
  observations = 0;
  finished: boolean | undefined;
  /** The error of an operation; absent where it succeeds. */
  refuses: (operation: Operation) => string | undefined = () => undefined;
  /** Why a change of a set is left out; absent where it is made. */
  leavesOut: (change: SingleOperation) => string | undefined = () => undefined;
  /** The result of an operation as it is told to the loop. */
  tells: (operation: Operation, result: ApplyResult) => ApplyResult = (_, result) => result;
  /** Problems that keep the node from being observed. */
  unreadable: readonly InputProblem[] = [];
  /** Called right before an effect is done. */
  meanwhile: (effect: Effect) => void = () => undefined;
  /** Called right after an effect was done. */
  afterwards: (effect: Effect) => void = () => undefined;
  /** Whether states are written only with `publishNow`. */
  publishesLater = false;
  /** The error of writing states; absent where that succeeds. */
  unwritable: string | undefined;
  /** The error of writing what the node tells of itself; absent where that succeeds. */
  unregistrable: string | undefined;
  /** The registrations that the node has written, in order. */
  readonly registrations: NodeRegistration[] = [];
  /** The node as the loop has read it, in parts. */
  observed: NodeSnapshot;
  #alarm = Number.POSITIVE_INFINITY;
  #observationsNow = 0;
  readonly #latePublications: (() => void)[] = [];
  readonly #pending: NodeEvent[] = [];

  constructor({ cluster, node, settings = defaultSettings, once = false }: World) {
    this.cluster = cluster;
    this.node = node;
    this.observed = node;
    this.state = initialState({ settings, once });
  }

  /** A network's entry in the states that were written. */
  entry(network: string) {
    return this.cluster.uplinkStates
      .flatMap(({ status }) => status?.networks ?? [])
      .find(({ name }) => name === network);
  }

  /** Reports a change to the loop, of the cluster or of any part of the node, with everything that follows at once. */
  change(source: 'cluster' | 'node' = 'node'): void {
    for (const each of source === 'cluster' ? [source] : everyPart) this.tell({ kind: 'changed', source: each });
  }

  /** Advances the clock, in milliseconds. */
  pass(milliseconds: number): void {
    const end = this.now + milliseconds;
    while (this.#alarm <= end) {
      if (this.#alarm > this.now) this.#observationsNow = 0;
      this.now = Math.max(this.now, this.#alarm);
      this.#alarm = Number.POSITIVE_INFINITY;
      this.tell({ kind: 'alarm' });
    }
    this.now = end;
  }

  /** Writes the states that were held back. */
  publishNow(): void {
    for (const publish of this.#latePublications.splice(0)) publish();
  }

  /** Starts the loop and runs its first second. */
  start(): this {
    this.change('cluster');
    this.pass(1000);
    return this;
  }

  tell(event: NodeEvent): void {
    this.#pending.push(event);
    // Events during an effect are queued, as in an event loop.
    if (this.#pending.length > 1) return;
    for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
      const [state, effects] = step(this.state, { ...next, at: this.now });
      this.state = state;
      for (const effect of effects) {
        this.meanwhile(effect);
        this.#do(effect);
        this.afterwards(effect);
      }
      this.#pending.shift();
    }
  }

  #do(effect: Effect): void {
    switch (effect.do) {
      case 'observe': {
        this.observations += 1;
        this.#observationsNow += 1;
        if (this.#observationsNow > MAX_OBSERVATIONS)
          throw new Error('the loop observes again and again without time passing');
        const { cluster, unreadable: problems } = this;
        if (problems.length === 0) this.#observe(effect.parts);
        const node = { ...this.observed, ledger: this.node.ledger };
        const reading =
          problems.length > 0
            ? ({ read: false, problems } as const)
            : ({ read: true, value: { cluster, node, warnings: [] } } as const);
        this.#pending.push({ kind: 'observed', observation: effect.observation, reading });
        break;
      }
      case 'apply':
        this.#apply(effect.operation, effect.plan, effect.ledger);
        break;
      case 'write-ledger':
        this.#writeLedger(effect.ledger);
        break;
      case 'publish':
        if (this.publishesLater) this.#latePublications.push(() => this.#publish(effect.publication));
        else this.#publish(effect.publication);
        break;
      case 'set-alarm':
        this.#alarm = effect.at;
        break;
      case 'report':
        this.reports.push(effect.report);
        break;
      case 'finish':
        this.finished = effect.isDone;
        break;
    }
  }

  /** Reads parts of the node, and no more. */
  #observe(parts: ReadonlySet<NodePart>): void {
    const fields = new Set<string>([...parts].flatMap((part) => fieldsOfParts[part]));
    const others = Object.entries(this.observed).filter(([field]) => !fields.has(field));
    const read = Object.entries(this.node).filter(([field]) => fields.has(field));
    this.observed = Object.fromEntries([...others, ...read]) as unknown as NodeSnapshot;
  }

  #publish(publication: Publication): void {
    const { unwritable, unregistrable } = this;
    const { states, registration } = publication;
    if (unwritable === undefined) for (const { write } of states) this.#write(stateIn(write));
    const refused = states.map(({ write }) => [objectText(write), unwritable ?? ''] as const);
    if (registration.length > 0 && unregistrable === undefined) this.#register(registrationIn(publication));
    this.tell({
      kind: 'published',
      refused: new Map([
        ...(unwritable === undefined ? [] : refused),
        ...(registration.length === 0 || unregistrable === undefined ? [] : [['Node/a', unregistrable] as const]),
      ]),
    });
  }

  #register(registration: NodeRegistration): void {
    this.registrations.push(registration);
    this.cluster = registered(this.cluster, registration);
    this.change('cluster');
  }

  #writeLedger(ledger: NodeSnapshot['ledger']): void {
    this.ledgerWrites.push(this.now);
    this.node = { ...this.node, ledger };
  }

  #apply(operation: Operation, plan: number, ledger: NodeSnapshot['ledger'] | undefined): void {
    if (ledger !== undefined) this.#writeLedger(ledger);
    const refusal = this.refuses(operation);
    const semantics = semanticsOf(operation);
    const before = semantics.displaces ? { entities: this.node, isComplete: true } : undefined;
    const leftOut = changesOf(operation).flatMap((change) => {
      const error = operation.verb === 'change' ? this.leavesOut(change) : undefined;
      return error === undefined ? [] : [{ change, error }];
    });
    const [made] = narrowed(operation, (change) => leftOut.every((other) => other.change !== change));
    const change =
      refusal !== undefined
        ? { done: false as const, refusal }
        : made === undefined
          ? { done: true as const, node: this.node }
          : semantics.effect(made, this.node);
    if (change.done) {
      this.node = change.node;
      if (made !== undefined) this.operations.push(made);
    }
    const result: ApplyResult = change.done
      ? { done: true, ...(before && { before }), ...(leftOut.length > 0 && { leftOut }) }
      : { done: false, error: change.refusal, isRefused: true };
    this.#pending.push({ kind: 'applied', plan, result: this.tells(operation, result) });
  }

  #write(state: UplinkState): void {
    this.writes += 1;
    const others = this.cluster.uplinkStates.filter(({ metadata }) => metadata.name !== state.metadata.name);
    this.cluster = { ...this.cluster, uplinkStates: [...others, state] };
  }
}
