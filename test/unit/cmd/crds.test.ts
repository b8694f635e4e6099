import { expect } from 'chai';
import { loadAll } from 'js-yaml';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { emptyCluster } from '../../../src/domain/index.ts';
import { containerOf, runCommand } from './run-in-process.ts';

const container = containerOf({ cluster: emptyCluster, nodes: [] });

describe('ovn-uplinks crds', () => {
  it('prints all CustomResourceDefinitions as YAML documents', async () => {
    const { out, err, exitCode } = await runCommand(container, ['crds']);
    expect(loadAll(out.join('\n'))).to.deep.equal(customResourceDefinitions());
    expect({ err, exitCode }).to.deep.equal({ err: [], exitCode: 0 });
  });

  it('prints those of the named kinds', async () => {
    const { out } = await runCommand(container, ['crds', 'uplinkstates', 'uplinks']);
    expect(out.join('\n').match(/^ {2}name: .*$/gm)).to.deep.equal([
      '  name: uplinks.k8s.ovn.org',
      '  name: uplinkstates.k8s.ovn.org',
    ]);
  });
});
