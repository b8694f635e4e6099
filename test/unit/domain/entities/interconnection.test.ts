import { expect } from 'chai';
import { diffNode, planNode } from '../../../../src/domain/index.ts';
import { interconnectionChange } from '../../../../src/domain/entities/switch/interconnection.ts';
import { withExternalIds } from '../../../../src/domain/node-model/switch/switch-external-ids.ts';
import { logicalNetworkSentence } from '../../../../src/domain/status/sentences/logical-network-sentence.ts';
import { converge, engine } from '../../../../src/testing/index.ts';
import { readScenario } from '../../../scenarios/scenario-folders.ts';

describe('tunnels of a node whose chassis has a setting of its own', () => {
  const { cluster, nodes, settings } = readScenario('zone/two-nodes-to-a-port-for-the-other-node');
  const KEY = 'ovn-is-interconn-chassis-a';

  const COMMON = 'ovn-is-interconn';
  const OWN = 'ovn-uplinks-is-interconn';

  /** The node with the network programmed, and then with settings of another program. */
  function programmed(ids: Readonly<Record<string, string | undefined>>) {
    const [found] = nodes;
    if (found === undefined) throw new Error('the scenario has no node');
    const { node } = converge(engine, '2 converges', { cluster, settings }, found);
    return withExternalIds(node, ids);
  }

  const used: readonly (readonly [what: string, ids: Readonly<Record<string, string | undefined>>])[] = [
    ['true, beside that for all', { [KEY]: 'true' }],
    ['True', { [KEY]: 'True' }],
    ['TRUE, and that for all is false and not read', { [KEY]: 'TRUE', [COMMON]: 'false', [OWN]: undefined }],
    ['true, and that for all is missing', { [KEY]: 'true', [COMMON]: undefined, [OWN]: undefined }],
    ['not there, and that for all is True', { [COMMON]: 'True', [OWN]: undefined }],
    ['neither true nor false, and that for all is true', { [KEY]: 'yes', [COMMON]: 'true', [OWN]: undefined }],
  ];
  for (const [what, ids] of used) {
    it(`are there if it is ${what}: the network stays as it is`, () => {
      const node = programmed(ids);
      const plan = planNode(cluster, node, settings);
      expect(plan.zones?.map(({ failure }) => failure)).to.deep.equal([undefined]);
      expect(diffNode(plan, node)).to.deep.equal([]);
    });
  }

  const unused: readonly (readonly [what: string, ids: Readonly<Record<string, string | undefined>>, said: string])[] =
    [
      ['false', { [KEY]: 'false' }, `${KEY} of Open_vSwitch is false`],
      ['False, and that for all is true', { [KEY]: 'False', [COMMON]: 'true' }, `${KEY} of Open_vSwitch is False`],
      ['not there, and that for all is no', { [COMMON]: 'no', [OWN]: undefined }, `${COMMON} of Open_vSwitch is no`],
      [
        'neither true nor false, and that for all is false',
        { [KEY]: 'yes', [COMMON]: 'false', [OWN]: undefined },
        `${COMMON} of Open_vSwitch is false`,
      ],
    ];
  for (const [what, ids, said] of unused) {
    it(`are a reason if it is ${what}: the network is held as it is`, () => {
      const node = programmed(ids);
      const plan = planNode(cluster, node, settings);
      expect(plan.zones?.map(({ failure }) => failure && logicalNetworkSentence(failure))).to.deep.equal([
        `external_ids:${said}, expected true; it is not managed by ovn-uplinks`,
      ]);
      expect(diffNode(plan, node)).to.deep.equal([]);
    });
  }

  it('are not switched on for all where another program has done so for the chassis meanwhile', () => {
    const ids = { 'system-id': 'chassis-a', [KEY]: 'True' };
    expect(interconnectionChange('add', ids)).to.be.undefined;
    expect(interconnectionChange('add', { ...ids, [KEY]: 'false' })).to.deep.equal({ [COMMON]: 'true', [OWN]: 'true' });
  });

  it('are not switched on for all again where another program has switched that off, and it does not count', () => {
    const node = programmed({ [KEY]: 'true', [COMMON]: 'false' });
    const { node: after } = converge(engine, '2 converges', { cluster, settings }, node);
    expect(after.switchExternalIds).to.deep.equal({ 'system-id': 'chassis-a', [KEY]: 'true' });
  });

  for (const value of ['true', 'false']) {
    it(`go with the last network, and ${value} of another program stays`, () => {
      const withoutNetworks = { ...cluster, clusterUserDefinedNetworks: [] };
      const { node } = converge(
        engine,
        '2 converges',
        { cluster: withoutNetworks, settings },
        programmed({ [KEY]: value }),
      );
      expect(node.switchExternalIds).to.deep.equal({ 'system-id': 'chassis-a', [KEY]: value });
    });
  }
});
