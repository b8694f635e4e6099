/** A node that provides network blue with another node, and what it tells of itself. */
import { nodeReportName } from '../../../../src/domain/network/allocation/node-report.ts';
import type { ConfigMap } from '../../../../src/domain/api/config-map.ts';
import {
  CHASSIS_ID_ANNOTATION,
  ENCAPSULATION_IPS_ANNOTATION,
  ID_CLAIMS_NAME,
  NODE_REPORT_ANNOTATION,
} from '../../../../src/domain/basics/conventions.ts';
import { type ClusterSnapshot, defaultSettings, type Node, type NodeSettings } from '../../../../src/domain/index.ts';
import { isOn } from '../../../../src/domain/entities/operations/operation-semantics.ts';
import { changesOf, type Operation } from '../../../../src/domain/entities/operations/operation.ts';
import { completeNode } from '../../../../src/testing/index.ts';
import { cluster, network, node } from '../../domain/brief-objects.ts';
import { registrationIn, Simulation } from './simulation.ts';

const settings: NodeSettings = { ...defaultSettings, providedNetworks: 'all' };

const layer3 = { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } as const;

export const networkOf = (name: string) => network(name, { metadata: { uid: `uid-${name}` }, network: { layer3 } });

export const claims = (data: Readonly<Record<string, string>>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: settings.namespace, name: ID_CLAIMS_NAME },
  data,
});

export const claimed = {
  'network-1': 'cluster_udn_blue uid-blue',
  'node-2': 'a uid-a',
  'node-3': 'b uid-b',
};

/** Another node that has told everything. */
export const other = (name: string, uid = `uid-${name}`, address = '172.30.0.3'): Node =>
  node(name, {
    uid,
    annotations: {
      [NODE_REPORT_ANNOTATION]: nodeReportName(name),
      [CHASSIS_ID_ANNOTATION]: `chassis-${name}`,
      [ENCAPSULATION_IPS_ANNOTATION]: JSON.stringify([address]),
    },
  });

/** Network blue on this node and another one. */
export const objects = cluster({
  nodes: [node('a', { uid: 'uid-a' }), other('b')],
  clusterUserDefinedNetworks: [networkOf('blue')],
  configMaps: [claims(claimed)],
});

const bare = completeNode({
  nodeName: 'a',
  isNorthboundRead: true,
  bridges: [{ name: 'br-int' }],
  switchExternalIds: { 'system-id': 'chassis-a', 'ovn-encap-ip': '172.30.0.2' },
});

export const simulate = (of: ClusterSnapshot = objects, on = bare) =>
  new Simulation({ cluster: of, node: on, settings });

/** An agent that ends as soon as nothing more can be done. */
export const simulateOnce = () => new Simulation({ cluster: objects, node: bare, settings, once: true });

/** The events, in order: what the node has told, and what was changed on it. */
export function recorded(simulation: Simulation): readonly string[] {
  const events: string[] = [];
  simulation.meanwhile = (effect) => {
    if (effect.do === 'publish') {
      const { report, annotations } = registrationIn(effect.publication);
      if (report)
        events.push(
          `report ${report.data?.['networks'] ?? ''}${report.data?.['ready'] === undefined ? '' : ', ready'}`,
        );
      if (annotations) events.push(`annotate ${Object.keys(annotations.metadata?.annotations ?? {}).join(' ')}`);
    }
    if (effect.do === 'apply') events.push(...summariesOf(effect.operation));
  };
  return events;
}

/** The parts of a network in OVN and Open vSwitch, by kind of entity. */
export const parts = {
  interconnection: 'tunnels',
  'remote-chassis': 'chassis',
  'northbound-row': 'rows',
  'remote-port': 'ports',
  'management-port': 'the management port',
} as const;

export const isAbout = (operation: Operation, kind: keyof typeof parts) =>
  changesOf(operation).some((change) => isOn(change, kind));

/** The changes of an operation; none for one on the host. */
function summariesOf(operation: Operation): readonly string[] {
  const verbs = new Set(changesOf(operation).map(({ verb }) => verb));
  const found = Object.entries(parts).filter(([kind]) => isAbout(operation, kind as keyof typeof parts));
  return found.slice(0, 1).map(([, part]) => `${part} ${[...verbs].join(' ')}`);
}

export const rowsOf = ({ node: { northbound } }: Simulation, name: string) =>
  northbound.filter((row) => row.network === `cluster_udn_${name}`).length;

/** The report of the node as it is stored. */
export const reported = ({ cluster: { configMaps } }: Simulation) =>
  configMaps.find(({ metadata }) => metadata.name === nodeReportName('a'))?.data;

/** The cluster and the node once everything is told and programmed. */
export const settled = (of = objects): Simulation => simulate(of).start();
