import { resolve } from 'node:path';
import { expect } from 'chai';
import { gatewayRouterNames } from '../../../../src/domain/network/names/gateway-router.ts';
import type { NodeSnapshot } from '../../../../src/domain/index.ts';
import { patchPortName } from '../../../../src/domain/snapshot/patch-ports.ts';
import { crashRepeatedly } from '../agent/faults/run-faults.ts';
import { leftovers } from '../agent/leftovers.ts';
import { type NodeAgent, readyNetwork } from '../agent/node-agent.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { expectAnswers, podsAndHosts } from './clients.ts';
import { type Outage, outageDuring } from './outage.ts';
import { podNamespace } from './own-half.ts';
import { carrying, preparedNode } from './packet-node.ts';
import { differing, programmed, withoutUuids } from './programmed.ts';
import { bridgeMadeAgain, providerNamespace } from './provider.ts';
import { blue, bridgeOf, common, red, type Tenant } from './tenant.ts';

const tenants = [blue, red];
const bridges = tenants.map(({ uplink }) => bridgeOf(uplink));

/** Milliseconds in which flows and traffic have to be back, far more than it takes. */
const DEADLINE = 90_000;

/** Pods, and the host by each uplink, in both families. */
const streams = tenants.flatMap((tenant) =>
  common.outside.flatMap((to) =>
    [{ from: podNamespace(tenant) }, { device: tenant.name }].map((client) => ({
      ...client,
      to,
      answerer: providerNamespace(tenant.uplink),
    })),
  ),
);

function restart(...words: readonly string[]): ArgumentVector {
  return [resolve(import.meta.dirname, '../inside/restart.py'), ...words];
}

function patchPortOf({ name, uplink }: Tenant): string {
  return patchPortName(gatewayRouterNames(`cluster_udn_${name}`, 'worker-a', bridgeOf(uplink)).localnetPort);
}

function deletePatchPort(tenant: Tenant): ArgumentVector {
  return ['ovs-vsctl', 'del-port', bridgeOf(tenant.uplink), patchPortOf(tenant)];
}

/** Runs commands while ovn-controller is paused, so that ovs-vswitchd has seen each change before ovn-controller reacts. */
function withoutController(commands: readonly ArgumentVector[]): readonly ArgumentVector[] {
  const tell = (what: string) => ['ovn-appctl', '--target=ovn-controller', `debug/${what}`];
  return [tell('pause'), ...commands, tell('resume')];
}

const podSubnet = common.nodeSubnets[0];

/** Deletes the flows by which IPv4 packets of a tenant's pods leave. */
function deleteFlows({ uplink }: Tenant): ArgumentVector {
  return ['ovs-ofctl', '-O', 'OpenFlow14', 'del-flows', bridgeOf(uplink), `table=0,ip,nw_src=${podSubnet}`];
}

/** Deletes the default routes of a tenant's gateway router. */
function deleteRoutes({ name, uplink }: Tenant): ArgumentVector {
  const { gatewayRouter } = gatewayRouterNames(`cluster_udn_${name}`, 'worker-a', bridgeOf(uplink));
  return ['ovn-nbctl', ...['0.0.0.0/0', '::/0'].flatMap((to) => ['--', 'lr-route-del', gatewayRouter, to]).slice(1)];
}

/** Prints the process of a daemon. */
function processOf(file: string): ArgumentVector {
  return ['/bin/busybox', 'cat', `/run/${file}.pid`];
}

/** Prints the number of the patch port of a tenant. */
function numberOfPatchPort(tenant: Tenant): ArgumentVector {
  return ['ovs-vsctl', 'get', 'Interface', patchPortOf(tenant), 'ofport'];
}

/** A disturbance of the node. */
interface Disturbance {
  readonly what: string;
  readonly commands: readonly ArgumentVector[];
  /** Commands that print something else afterwards. */
  readonly evidence?: readonly ArgumentVector[];
  /** Whether flows are missing for a while. */
  readonly losesFlows?: true;
}

const disturbances: readonly Disturbance[] = [
  {
    what: 'ovs-vswitchd is killed and started',
    commands: [restart('ovs-vswitchd')],
    evidence: [processOf('openvswitch/ovs-vswitchd')],
    losesFlows: true,
  },
  {
    what: 'ovsdb-server is killed and started',
    commands: [restart('ovsdb-server')],
    evidence: [processOf('openvswitch/ovsdb-server')],
  },
  {
    what: 'ovn-northd, ovn-controller and the servers of both its databases are killed and started, and ovn-controller exits and is started',
    commands: [restart('ovn-northd', 'ovn-controller', 'ovnnb_db', 'ovnsb_db'), restart('--exit', 'ovn-controller')],
    evidence: ['ovn-northd', 'ovn-controller', 'ovnnb_db', 'ovnsb_db'].map((name) => processOf(`ovn/${name}`)),
  },
  {
    what: 'patch ports are deleted and get other numbers',
    commands: withoutController(tenants.map(deletePatchPort)),
    evidence: tenants.map(numberOfPatchPort),
    losesFlows: true,
  },
  { what: 'somebody has deleted flows', commands: tenants.map(deleteFlows), losesFlows: true },
];

/** Disturbances after which the agent has added rows of OVN again. */
const losses: readonly (readonly [string, readonly ArgumentVector[]])[] = [
  ['somebody has deleted routes of gateway routers', tenants.map(deleteRoutes)],
  ['a bridge is deleted and made again with other numbers of ports', bridgeMadeAgain(blue.uplink, 0)],
];

/** ovn-controller removes a patch port some time after what it is for. */
const isPatchPort = (line: string) => line.startsWith('+ port patch-');

describe('two tenants with traffic', () => {
  let node: LabNode;
  let agent: NodeAgent;
  let untouched: NodeSnapshot;
  let untouchedRows: readonly string[];
  let host: NodeSnapshot;
  let rows: readonly string[];
  before(async () => {
    node = await preparedNode(tenants);
    [untouched, untouchedRows] = [await node.snapshot(), await programmed(node, bridges)];
    ({ agent } = await carrying(node, tenants));
    [host, rows] = [await node.snapshot(), await programmed(node, bridges)];
  });
  after(() => node.end());

  const recover = async (commands: readonly ArgumentVector[], deadline: number): Promise<Outage> => {
    const confirmed = ['ovn-nbctl', '--wait=hv', 'sync'];
    const outage = await outageDuring(node, [...commands, confirmed], { streams, bridges });
    const { traffic, flows, lost } = outage;
    process.stdout.write(`      traffic after ${traffic} ms, flows after ${flows} ms, lost ${lost.join(' ')}\n`);
    expect([traffic, flows].filter((milliseconds) => milliseconds > deadline)).to.deep.equal([]);
    for (const [place, { name }] of tenants.entries()) await agent.until([], `uplink-${place}`, readyNetwork(name));
    return outage;
  };

  /** Rows that still differ at the deadline: ovs-vswitchd forgets static entries again while it starts, and the agent then adds them again. */
  const stillDiffering = async (textOf: (row: string) => string): Promise<readonly string[]> => {
    const end = performance.now() + DEADLINE;
    let different: readonly string[];
    do different = differing(rows.map(textOf), (await programmed(node, bridges)).map(textOf));
    while (different.length > 0 && performance.now() < end);
    return different;
  };

  const printed = (commands: readonly ArgumentVector[]): Promise<readonly string[]> =>
    Promise.all(commands.map(async (words) => (await node.run(words)).stdout));

  for (const { what, commands, evidence = [], losesFlows = false } of disturbances) {
    it(`have the same traffic, flows, rows and host again once ${what}`, async () => {
      const before = await printed(evidence);
      const { flows } = await recover(commands, DEADLINE);
      const after = await printed(evidence);
      expect(after.filter((text, at) => text === '' || text === before[at])).to.deep.equal([]);
      if (losesFlows) expect(flows).to.be.greaterThan(0);
      expect(await stillDiffering((row) => row)).to.deep.equal([]);
      expect(leftovers(host, await node.snapshot())).to.deep.equal([]);
    });
  }

  for (const [what, commands] of losses) {
    it(`have the same traffic, flows, rows with other identifiers, and host again once ${what}`, async () => {
      await recover(commands, 2 * DEADLINE);
      expect(await stillDiffering(withoutUuids)).to.deep.equal([]);
      expect(await programmed(node, bridges)).not.to.deep.equal(rows);
      expect(leftovers(host, await node.snapshot())).to.deep.equal([]);
    });
  }

  it('are removed and set up as before by agents that are killed after every twentieth change', async () => {
    await agent.stop();
    expect(await crashRepeatedly(node, 'removal', 20)).to.be.at.least(2);
    expect(leftovers(untouched, await node.snapshot())).to.deep.equal([]);
    const removed = await programmed(node, bridges);
    expect(differing(untouchedRows, removed).filter((line) => !isPatchPort(line))).to.deep.equal([]);
    expect(await crashRepeatedly(node, 'set-up', 20)).to.be.at.least(2);
    await expectAnswers(node, podsAndHosts(tenants), { protocol: 'tcp', rounds: 3 });
    expect(leftovers(host, await node.snapshot())).to.deep.equal([]);
    const again = await programmed(node, bridges);
    expect(differing(rows.map(withoutUuids), again.map(withoutUuids))).to.deep.equal([]);
  });
});
