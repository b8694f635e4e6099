import { expect } from 'chai';
import { defaultSettings, emptyCluster } from '../../../src/domain/index.ts';
import { completeNode } from '../../../src/testing/brief-node.ts';
import { printedFiles, scenarioFiles, storyFiles } from '../../../src/testing/scenario-files.ts';

const node = completeNode({ nodeName: 'a' });

describe('the files of a folder', () => {
  it('have their purpose in the first line of the first one', () => {
    expect(scenarioFiles({ cluster: emptyCluster, nodes: [node], settings: defaultSettings }, 'Why.')).to.deep.equal({
      'cluster.yaml': '# Why.\n',
      'node.yaml': 'nodeName: a\n',
    });
    expect(storyFiles({ node, steps: [], settings: defaultSettings }, 'Why.')).to.deep.equal({
      'node.yaml': '# Why.\nnodeName: a\n',
    });
  });

  it('have a document for each node', () => {
    const nodes = [node, completeNode({ nodeName: 'b' })];
    const files = scenarioFiles({ cluster: emptyCluster, nodes, settings: defaultSettings }, '');
    expect(files['node.yaml']).to.equal('nodeName: a\n---\nnodeName: b\n');
  });

  it('have no node and no settings if there are none', () => {
    const files = scenarioFiles({ cluster: emptyCluster, nodes: [], settings: defaultSettings }, '');
    expect(Object.keys(files)).to.deep.equal(['cluster.yaml']);
  });

  it('have the settings that differ from the defaults', () => {
    const settings = { ...defaultSettings, serviceCidrs: ['10.96.0.0/12'] };
    expect(scenarioFiles({ cluster: emptyCluster, nodes: [], settings }, '')['settings.yaml']).to.equal(
      'serviceCidrs: [ 10.96.0.0/12 ]\n',
    );
  });

  it('have a line for each entity that fits in one', () => {
    const addresses = Array.from({ length: 3 }, (_item, index) => ({
      address: `2001:db8::${index}`,
      prefixLength: 64,
    }));
    const links = [{ name: 'eth1' }, { name: 'eth2', addresses }];
    const settings = defaultSettings;
    const files = scenarioFiles(
      { cluster: emptyCluster, nodes: [completeNode({ nodeName: 'a', links })], settings },
      '',
    );
    expect(files['node.yaml']).to.equal(`nodeName: a
links:
  - { name: eth1 }
  - name: eth2
    addresses:
      - { address: 2001:db8::0, prefixLength: 64 }
      - { address: 2001:db8::1, prefixLength: 64 }
      - { address: 2001:db8::2, prefixLength: 64 }
`);
  });

  it('are printed one after the other under their names', () => {
    expect(printedFiles({ 'a.yaml': 'a: 1\n', 'b.yaml': 'b: 2\n' })).to.equal('=== a.yaml\na: 1\n=== b.yaml\nb: 2');
  });
});
