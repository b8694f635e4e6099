import { expect } from 'chai';
import { NodeAgent, readyNetwork, unreadyNetwork } from '../agent/node-agent.ts';
import { ovsVsctl } from '../commands.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { prepare } from '../prepare.ts';
import { expectAnswers } from './asks.ts';
import { WireCapture } from './capture.ts';
import { exchange, startAnswering } from './exchange.ts';
import { podNamespace } from './own-half.ts';
import { carrying, preparedNode } from './packet-node.ts';
import { providerInVlan, providerNamespace, wireOf } from './provider.ts';
import { SteadyTraffic } from './steady.ts';
import { blue, clusterWith, common, hostInterfaceOf, type LabUplink, type Tenant } from './tenant.ts';

const green: Tenant = {
  name: 'green',
  networkId: 2,
  uplink: { name: 'green', macAddress: '02:00:00:00:10:06', access: { bridge: 'br-vlans', vlan: 10 } },
};
/** A second network of the uplink of green, and one in the way of blue. Both come later. */
const olive: Tenant = { ...green, name: 'olive', networkId: 3 };
const rival: Tenant = { ...blue, name: 'rival', networkId: 4 };

/** Where green's provider moves. */
const moved: LabUplink = { ...green.uplink, name: 'moved', access: { bridge: 'br-vlans', vlan: 30 } };

const device = hostInterfaceOf(green.uplink);

/** The state of the uplink of green. */
const UPLINK = 'uplink-1';

/** Milliseconds in which packets have to follow a change. One that is idle does it in less than a second; the lab is busy. */
const DEADLINE = 10_000;

/** Questions of green's pods, and of the host by its uplink. */
const questions = [{ from: podNamespace(green) }, { device }].flatMap((from) =>
  common.outside.map((to) => ({ ...from, to })),
);

/** The pattern of answers of a provider to all of some streams. */
function allAnsweredBy(uplink: LabUplink): string {
  return `\\A${questions.map((_, number) => `(?=.*${String(number)} answers ${providerNamespace(uplink)} )`).join('')}`;
}

function report(what: string, milliseconds: number): void {
  console.log(`      ${what}: ${milliseconds.toFixed(0)} ms`);
}

describe('while one network has 1,000 packets a second', () => {
  let node: LabNode;
  let agent: NodeAgent;
  let steady: SteadyTraffic;
  before(async () => {
    node = await preparedNode([blue, green, olive, rival]);
    await prepare(node, providerInVlan(moved));
    await startAnswering(node, [providerNamespace(moved)]);
    await NodeAgent.save(node, clusterWith([blue, green]));
    ({ agent } = await carrying(node, [blue, green]));
    steady = await SteadyTraffic.start(
      node,
      common.outside.map((to) => ({ from: podNamespace(blue), to, rate: 500 })),
    );
  });
  after(() => node.end());

  /** Makes a change of green's uplink, and waits until a provider answers pods and host. */
  const follows = async (what: string, change: ArgumentVector, uplink: LabUplink): Promise<void> => {
    const traffic = await SteadyTraffic.start(
      node,
      questions.map((words) => ({ ...words, rate: 50 })),
    );
    const milliseconds = await traffic.until([change], allAnsweredBy(uplink));
    const summaries = await traffic.stop();
    report(`${what}, followed after`, milliseconds);
    report(`${what}, longest silence`, Math.max(...summaries.map(({ silence }) => silence)));
    expect(milliseconds).to.be.at.most(DEADLINE);
  };

  it('another one is added, and carries packets', async () => {
    await NodeAgent.save(node, clusterWith([blue, green, olive]));
    await agent.until([], UPLINK, readyNetwork(olive.name));
    await expectAnswers(node, [{ tenant: olive, kind: 'pod' }], { protocol: 'udp', rounds: 10 });
  });

  it('a VLAN is changed, and frames of pods and host follow', async () => {
    await follows('VLAN', ovsVsctl`set Port ${device} tag=${moved.access!.vlan}`, moved);
    const wire = await WireCapture.startAtNode(node, wireOf(green.uplink));
    const answers = await exchange(
      node,
      questions.map((words) => ({ ...words, protocol: 'udp', rounds: 20 })),
    );
    await wire.stop();
    expect(answers.map(({ lost }) => lost)).to.deep.equal([0, 0, 0, 0]);
    const tagged = await wire.packets(`vlan ${moved.access!.vlan} and udp port 8080`);
    expect(tagged).to.have.length(2 * 20 * questions.length);
    expect(await wire.packets('udp port 8080')).to.deep.equal([]);
    expect(await wire.packets(`vlan 10 and ether src ${green.uplink.macAddress}`)).to.deep.equal([]);
  });

  it('a network that conflicts with it appears: it gets nothing, and both say so', async () => {
    await NodeAgent.save(node, clusterWith([blue, green, olive, rival]));
    for (const { name } of [blue, rival])
      await agent.until([], 'uplink-0', unreadyNetwork(name, 'UplinkConfigurationConflict'));
    const answers = await exchange(
      node,
      common.outside.map((to) => ({ from: podNamespace(rival), protocol: 'udp', to })),
    );
    expect(answers.map(({ lost }) => lost)).to.deep.equal([1, 1]);
  });

  it('and loses none of them', async () => {
    const summaries = await steady.stop();
    expect(summaries.map(({ lost }) => lost)).to.deep.equal([0, 0]);
    report('packets', summaries[0]!.sent + summaries[1]!.sent);
  });
});
