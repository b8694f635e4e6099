import { resolve } from 'node:path';
import { expect } from 'chai';
import { LEARNED_FLOW_COOKIE } from '../../../../src/domain/conventions.ts';
import { gatewayRouterNames } from '../../../../src/domain/dataplane/gateway-router/names.ts';
import type { NodeSnapshot } from '../../../../src/domain/index.ts';
import { patchPortName } from '../../../../src/domain/snapshot/patch-ports.ts';
import { leftovers } from '../agent/leftovers.ts';
import { type NodeAgent, readyNetwork } from '../agent/node-agent.ts';
import { databaseRows } from '../agent/switch-rows.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { bridgeState } from './bridge-state.ts';
import { outageDuring } from './outage.ts';
import { podNamespace } from './own-half.ts';
import { carrying, NORTHBOUND, preparedNode } from './packet-node.ts';
import { providerNamespace } from './provider.ts';
import { blue, bridgeOf, common, red, type Tenant } from './tenant.ts';

const tenants = [blue, red];
const bridges = tenants.map(({ uplink }) => bridgeOf(uplink));

/** Milliseconds in which flows and traffic have to be back, far more than it takes. */
const DEADLINE = 30_000;

/** Pods, and the host by each uplink, in both families. */
const streams = tenants.flatMap((tenant) =>
  common.outside.flatMap((to) =>
    [{ from: podNamespace(tenant) }, { device: tenant.name }].map((asker) => ({
      ...asker,
      to,
      answerer: providerNamespace(tenant.uplink),
    })),
  ),
);

function restart(...words: readonly string[]): ArgumentVector {
  return [resolve(import.meta.dirname, '../inside/restart.py'), ...words];
}

function deletePatchPort({ name, uplink }: Tenant): ArgumentVector {
  const { localnetPort } = gatewayRouterNames(`cluster_udn_${name}`, 'worker-a', bridgeOf(uplink));
  return ['ovs-vsctl', 'del-port', bridgeOf(uplink), patchPortName(localnetPort)];
}

/** What happens to the node. */
const disturbances: readonly (readonly [string, readonly ArgumentVector[]])[] = [
  ['ovs-vswitchd is killed and started', [restart('ovs-vswitchd')]],
  ['ovsdb-server is killed and started', [restart('ovsdb-server')]],
  [
    'ovn-northd, ovn-controller and the servers of both its databases are killed and started',
    [restart('ovn-northd'), restart('ovn-controller'), restart('ovnnb_db'), restart('ovnsb_db')],
  ],
  ['ovn-controller exits and is started', [restart('--exit', 'ovn-controller')]],
  ['patch ports are deleted and get other numbers', tenants.map(deletePatchPort)],
];

/** What is ours on the bridges and in the Northbound database. A patch port that was made again has another MAC address. */
async function programmed(node: LabNode): Promise<readonly string[]> {
  const ofBridges = await Promise.all(bridges.map((bridge) => bridgeState(node, bridge)));
  return [
    ...(await databaseRows(node, NORTHBOUND, 'OVN_Northbound')),
    ...ofBridges
      .flat()
      .filter((line) => !line.includes(`cookie=${LEARNED_FLOW_COOKIE}`))
      .map((line) => line.replace(/(?<=patch-.*): addr:.*/, '')),
  ].sort();
}

/** A snapshot without what the kernel has found out about managed neighbours. */
async function hostOf(node: LabNode): Promise<NodeSnapshot> {
  const snapshot = await node.snapshot();
  const neighbours = snapshot.neighbours.map((neighbour) =>
    neighbour.states.includes('managed') ? { ...neighbour, states: ['managed'] } : neighbour,
  );
  return { ...snapshot, neighbours };
}

describe('two tenants with traffic', () => {
  let node: LabNode;
  let agent: NodeAgent;
  let host: NodeSnapshot;
  let rows: readonly string[];
  before(async () => {
    node = await preparedNode(tenants);
    ({ agent } = await carrying(node, tenants));
    [host, rows] = [await hostOf(node), await programmed(node)];
  });
  after(() => node.end());

  for (const [what, commands] of disturbances) {
    it(`have it again, with the same flows, rows and host, once ${what}`, async () => {
      const confirmed = ['ovn-nbctl', '--wait=hv', 'sync'];
      const { traffic, flows, lost } = await outageDuring(node, [...commands, confirmed], { streams, bridges });
      process.stdout.write(`      traffic after ${traffic} ms, flows after ${flows} ms, lost ${lost.join(' ')}\n`);
      expect([traffic, flows].filter((milliseconds) => milliseconds > DEADLINE)).to.deep.equal([]);
      for (const [place, { name }] of tenants.entries()) await agent.until([], `uplink-${place}`, readyNetwork(name));
      expect(await programmed(node)).to.deep.equal(rows);
      expect(leftovers(host, await hostOf(node))).to.deep.equal([]);
    });
  }
});
