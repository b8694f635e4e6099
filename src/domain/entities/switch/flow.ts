import { FIRST_ZONE, FLOW_COOKIE, LEARNED_FLOW_COOKIE, ZONES_PER_UPLINK } from '../../basics/conventions.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { flowKey } from '../../datapath/openflow/flow-entry.ts';
import type { BridgeFlow } from '../../snapshot/datapath.ts';
import { counted } from '../../basics/names/counted.ts';
import { conflictSentence } from '../parts.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { dependencies, dependency } from '../dependencies.ts';
import type { EntityChange, EntityStep, SetKind } from '../entity-kind.ts';
import { flowCommand } from './flow-command.ts';
import { patchPortsIn } from '../../snapshot/patch-ports.ts';

/** A flow of a bridge. */
export interface FlowEntity {
  readonly kind: 'flow';
  readonly flow: BridgeFlow;
  /** Why it is there, for people; absent for flows that were found. */
  readonly why?: string;
}

/** A flow as an entity. */
export const flowEntity = lazyByObject((flow: BridgeFlow): FlowEntity => ({ kind: 'flow', flow }));

/** Identifies a flow: a bridge has one for each table, priority and match. */
const identity = lazyByObject(({ bridge, ...flow }: BridgeFlow) => `${bridge} ${flowKey(flow)}`);

/** Whether a flow was learned by managed flows. */
export function isLearned({ flow: { cookie } }: FlowEntity): boolean {
  return cookie === LEARNED_FLOW_COOKIE;
}

/** The actions with conntrack zones replaced by their offsets in the block of the uplink. */
export function withRelativeZones(actions: string): string {
  return actions.replaceAll(/\bzone=(\d+)/g, (word, zone: string) => {
    const offset = Number(zone) - FIRST_ZONE;
    return offset < 0 ? word : `zone=+${String(offset % ZONES_PER_UPLINK)}`;
  });
}

function flowText(flow: BridgeFlow): string {
  return `flow ${flowKey(flow)} on ${flow.bridge}`;
}

const change: Omit<EntityChange<FlowEntity>, 'name' | 'mark' | 'dependencies'> = {
  command: (entity) => flowCommand([{ verb: 'add', entity }]),
};

/** Flows of the bridge come before its patch ports. */
const isOfBridge = (found: BridgeFlow) => patchPortsIn(found).length === 0;

/**
 * Flows of the bridge come first: OVN announces addresses as soon as a patch port exists, and these must not leave. Flows of a patch port come once
 * it exists: before, the switch would refuse them or apply them to another port.
 */
const additionDependencies: EntityChange<FlowEntity>['dependencies'] = ({ flow }, networks) =>
  isOfBridge(flow)
    ? { makes: [...dependencies('network', networks), ...dependencies('flows', networks)] }
    : {
        makes: dependencies('flows', networks),
        needs: [
          ...patchPortsIn(flow).flatMap((port) => [dependency('patch-port', port), dependency('flooding', port)]),
          ...dependencies('network', networks),
        ],
      };

function inverse(
  { flow }: FlowEntity,
  before: { readonly flows: readonly BridgeFlow[] },
): readonly EntityStep<FlowEntity>[] {
  const found = before.flows.find((other) => identity(other) === identity(flow));
  return found === undefined ? [] : [{ verb: 'replace', entity: flowEntity(found) }];
}

export const flow: SetKind<FlowEntity, 'flowTables'> = {
  kind: 'flow',
  parts: ['flows'],
  identity: (entity) => identity(entity.flow),
  satisfies: ({ flow: found }, { flow: desired }) => found.actions === desired.actions,
  all: ({ flows }) => flows.map(flowEntity),
  // An added flow replaces one of the same identity.
  put: (node, entities) => {
    const taken = new Set(entities.map((entity) => identity(entity.flow)));
    return {
      ...node,
      flows: [...node.flows.filter((found) => !taken.has(identity(found))), ...entities.map((entity) => entity.flow)],
    };
  },
  take: (node, entities) => {
    const taken = new Set(entities.map((entity) => identity(entity.flow)));
    return { ...node, flows: node.flows.filter((found) => !taken.has(identity(found))) };
  },
  // The zones of a bridge depend on which were free.
  comparable: (entity) => ({ ...entity.flow, actions: withRelativeZones(entity.flow.actions) }),
  source: (entity) => entity.flow,
  isOurs: ({ flow: { cookie } }) => cookie === FLOW_COOKIE || cookie === LEARNED_FLOW_COOKIE,
  conflictText: ({ flow: found }, { flow: desired }) =>
    conflictSentence(`${flowText(found)} with actions ${found.actions}`, `actions ${desired.actions}`),
  anchor: ({ flow: found }) => {
    const [patchPort] = patchPortsIn(found);
    return { bridge: found.bridge, ...(patchPort !== undefined && { patchPort }) };
  },
  awaits: ({ flow: found }) => patchPortsIn(found),
  set: {
    of: ({ flow: found }) => (isOfBridge(found) ? `on ${found.bridge}` : `for patch ports of ${found.bridge}`),
    names: ['change-flows'],
    nameOf: () => 'change-flows',
    removesReplacedLast: () => true,
    summary: ({ length }, set) => `${counted(length, 'flow')} ${set}`,
    command: (changes) => flowCommand(changes),
  },
  port: 'flowTables',
  capturedIn: ({ flow: { bridge } }) => [`${capturedFiles.flows}${bridge}.txt`],
  text: ({ flow: found }) => flowText(found),
  add: { ...change, name: 'add-flow', mark: '+', dependencies: additionDependencies },
  replace: { ...change, name: 'modify-flow', mark: '~', dependencies: additionDependencies, inverse },
  remove: {
    name: 'delete-flow',
    mark: '-',
    dependencies: ({ flow: found }, networks) => ({
      ends: [...dependencies('flows', networks), ...(isOfBridge(found) ? dependencies('traffic', networks) : [])],
      uses: patchPortsIn(found).map((port) => dependency('patch-port', port)),
    }),
    command: (entity) => flowCommand([{ verb: 'remove', entity }]),
  },
};
