import { expect } from 'chai';
import { FLOW_COOKIE } from '../../../../src/domain/basics/conventions.ts';
import { type UplinkWay, uplinkWays } from '../../../../src/domain/dataplane/uplink-ways.ts';
import { type NodeSnapshot, planNode } from '../../../../src/domain/index.ts';
import { viewNode } from '../../../../src/domain/snapshot/node-view.ts';
import { readScenario } from '../../../scenarios/scenario-folders.ts';

const inDefaultVrf = readScenario('zone/uplink-ready-to-both');
const { cluster, settings } = inDefaultVrf;
const [found] = inDefaultVrf.nodes as [NodeSnapshot];

/** A node with the uplink of its network in VRF blue. */
const inVrf = readScenario('dataplane/neighbours-kept-resolved-to-restored-with-mac-addresses');

/** The ways of networks on a node. */
function waysOn(node: NodeSnapshot, { cluster, settings } = inDefaultVrf): readonly UplinkWay[] {
  const { dataplane } = planNode(cluster, node, settings);
  return uplinkWays(dataplane.programmed, settings, viewNode(node));
}

describe('the way of a network from the wire', () => {
  it('is the place of the network on the bridge of its uplink, as its flows have it', () => {
    const ways = waysOn(found);
    expect(ways.map(({ networkName }) => networkName)).to.deep.equal(['cluster_udn_blue']);
    const { dataplane } = planNode(cluster, found, settings);
    const flows = dataplane.desired.flatMap(({ entity }) => (entity.kind === 'flow' ? [entity.flow] : []));
    const { bridge, uplink, network } = ways[0]!.scope;
    const texts = flows.map(({ match, actions }) => `${match} ${actions}`).join('\n');
    for (const word of [
      `zone=${String(uplink.firstZone)}`,
      `dl_src=${uplink.macAddress}`,
      `in_port=${network.patchPort}`,
      `output:${bridge.physicalPort}`,
      `nat(src=${uplink.addresses[4]!})`,
    ])
      expect(texts).to.include(word);
    expect(flows.every((flow) => flow.bridge === bridge.bridge)).to.equal(true);
  });

  it('says which addresses uplinks and their gateways have', () => {
    const [{ links, scope }] = waysOn(found) as [UplinkWay];
    expect(links.uplinks).to.include(scope.uplink.addresses[4]);
    expect(links.gateways).not.to.be.empty;
  });

  it('is the same object, in the same list, as long as it is the same, whatever flows there are', () => {
    const ways = waysOn(found);
    const [{ scope }] = ways as [UplinkWay];
    const learned = {
      bridge: scope.bridge.bridge,
      cookie: '0x1',
      table: 21,
      priority: 90,
      match: 'ip',
      actions: 'drop',
    };
    expect(waysOn({ ...found, flows: [...found.flows, learned] })).to.equal(ways);
  });

  for (const { where, scenario, setting, expected } of [
    { where: 'the uplink is in a VRF', scenario: inVrf, setting: '0', expected: 'blue' },
    { where: 'sockets of no VRF answer in all', scenario: inVrf, setting: '1', expected: undefined },
    { where: 'the kernel has no such setting', scenario: inVrf, setting: undefined, expected: undefined },
    { where: 'the uplink is in the default VRF', scenario: inDefaultVrf, setting: '0', expected: undefined },
  ])
    it(`${expected === undefined ? 'names no VRF' : 'names the VRF in which the host does not answer'} where ${where}`, () => {
      const [node] = scenario.nodes as [NodeSnapshot];
      const sysctls = { ...node.sysctls, ...(setting !== undefined && { 'net.ipv4.tcp_l3mdev_accept': setting }) };
      expect(waysOn({ ...node, sysctls }, scenario).map(({ unansweredVrf }) => unansweredVrf)).to.deep.equal([
        expected,
      ]);
    });

  it('is another one once the host answers there, though nothing else has changed', () => {
    const [node] = inVrf.nodes as [NodeSnapshot];
    const { dataplane } = planNode(inVrf.cluster, node, inVrf.settings);
    const namedWith = (value: string) => {
      const sysctls = { 'net.ipv4.tcp_l3mdev_accept': value };
      const ways = uplinkWays(dataplane.programmed, inVrf.settings, viewNode({ ...node, sysctls }));
      return ways.map(({ unansweredVrf }) => unansweredVrf);
    };
    expect([namedWith('0'), namedWith('1')]).to.deep.equal([['blue'], [undefined]]);
  });

  it('has the zone that the flows of the uplink have on the node', () => {
    const [{ scope }] = waysOn(found) as [UplinkWay];
    const flow = {
      bridge: scope.bridge.bridge,
      cookie: FLOW_COOKIE,
      table: 0,
      priority: 100,
      match: `ip,in_port=${scope.uplink.hostPort},nw_src=${scope.uplink.addresses[4]!}`,
      actions: 'ct(commit,zone=64200,nat(src=192.0.2.6),exec(set_field:0x2->ct_mark)),output:1',
    };
    const [way] = waysOn({ ...found, flows: [flow] }) as [UplinkWay];
    expect(way.scope.uplink.firstZone).to.equal(64_200);
  });

  it('is none of a network without an uplink that is programmed', () => {
    expect(waysOn({ ...found, links: found.links.map((link) => ({ ...link, addresses: [] })) })).to.deep.equal([]);
  });
});
