import { clusterNetworkKey } from '../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { planDocument } from '../../../src/cmd/output/plan-document.ts';
import type { Command } from '../../../src/domain/entities/command.ts';
import { defaultSettings, type Operation, preview } from '../../../src/domain/index.ts';
import { completeNode } from '../../../src/testing/index.ts';
import { cluster, node } from '../domain/brief-objects.ts';

const seen = preview(cluster({ nodes: [node('a')] }), [completeNode({ nodeName: 'a' })], defaultSettings);

const rowOf = (operation: Operation, more: Partial<Command> = {}) => {
  const operations = new Map([
    ['a', [{ operation, command: { program: 'ip', arguments: ['link', 'show'], ...more } }]],
  ]);
  return planDocument({ ...seen, operations }, [], []).nodes['a']?.operations[0];
};

describe('an operation as JSON', () => {
  const release: Operation = {
    verb: 'remove',
    networks: [clusterNetworkKey('blue')],
    entity: { kind: 'membership', device: 'br-blue', vrf: 'blue', table: 1012, network: 'cluster_udn_blue' },
  };

  it('has its networks, kind, effect and disruption, and the whole argument vector', () => {
    expect(rowOf(release)).to.deep.equal({
      kind: 'release',
      network: 'blue',
      networks: ['blue'],
      keys: ['ClusterUserDefinedNetwork/blue'],
      summary: 'br-blue out of VRF blue',
      disruption: 'link-cycle',
      command: ['ip', 'link', 'show'],
    });
  });

  it('has the argument vector that comes first, where one does not do it', () => {
    expect(rowOf(release, { first: ['link', 'list'] })).to.deep.include({
      command: ['ip', 'link', 'show'],
      first: ['ip', 'link', 'list'],
    });
  });

  it('has its fields in a fixed order', () => {
    const fields = ['network', 'networks', 'keys', 'kind', 'summary', 'disruption', 'command'];
    expect(Object.keys(rowOf(release) ?? {})).to.deep.equal(fields);
  });

  it('has no network if several share it, or none is known', () => {
    expect(rowOf({ ...release, networks: [clusterNetworkKey('blue'), clusterNetworkKey('red')] })).to.deep.include({
      network: null,
      networks: ['blue', 'red'],
    });
    expect(rowOf({ ...release, networks: [] })).to.deep.include({ network: null, networks: [] });
  });
});

describe('a plan as JSON', () => {
  it('of a node with nothing to do has no operations', () => {
    expect(planDocument(seen, [], []).nodes).to.deep.equal({
      a: { networks: [], operations: [], flows: {}, northbound: [] },
    });
  });
});
