import { Readable } from 'node:stream';
import { expect } from 'chai';
import { validateManifests } from '../../../../src/adapters/manifests/validate-manifests.ts';
import { describeProblem, inFile } from '../../../../src/ports/input-problem.ts';
import { list, network, pod, uplink } from './example-objects.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

describe('validation', () => {
  const folder = useTemporaryFolder();

  /** Validates the folder of the test. */
  async function validate() {
    const { problems, warnings, ...counts } = await validateManifests([folder.path('')], standardInput(''));
    const [described, warned] = [problems, warnings].map((all) =>
      all.map((problem) => describeProblem(problem).replaceAll(folder.path(''), '')),
    );
    return { problems: described, warnings: warned, ...counts };
  }

  it('counts valid objects', async () => {
    folder.write(
      'a.json',
      JSON.stringify(list(uplink('blue'), pod('a'), { apiVersion: 'apps/v1', kind: 'Deployment' })),
    );
    expect(await validate()).to.deep.equal({
      problems: [],
      warnings: [],
      objects: 2,
      otherKinds: new Map([['Deployment.apps', 1]]),
    });
  });

  it('reports everything that the API server would reject or drop, by file and object', async () => {
    folder.write('b.json', JSON.stringify(network('blue', { network: { topology: 'Localnet' } })));
    folder.write('a.yaml', 'kind: Uplink\n');
    folder.write(
      'c.json',
      JSON.stringify(
        list(
          uplink('red', { type: 'SRIOV', colour: 'red' }),
          uplink('green', { hostInterfaceName: 5 }),
          uplink('green'),
        ),
      ),
    );
    expect(await validate()).to.deep.equal({
      problems: [
        '/a.yaml: line 1: expected an apiVersion, found nothing',
        '/b.json: ClusterUserDefinedNetwork/blue: spec: uplinks is only for primary Layer2 and Layer3 networks',
        '/b.json: ClusterUserDefinedNetwork/blue: spec.network.topology: expected one of Layer2, Layer3, found string "Localnet"',
        '/c.json: Uplink/green: is defined twice: in /c.json at items[1] and in /c.json at items[2]',
        '/c.json: Uplink/green: spec.nodeConfigs[0].hostInterfaceName: expected a string, found number 5',
        '/c.json: Uplink/red: spec.nodeConfigs[0].colour: unknown field, which the API server drops',
        '/c.json: Uplink/red: spec.nodeConfigs[0].type: expected one of OVSBridge, found string "SRIOV"',
      ],
      warnings: [],
      objects: 4,
      otherKinds: new Map(),
    });
  });

  it('warns of subnets with host bits, which the API server accepts', async () => {
    const layer3 = {
      role: 'Primary',
      subnets: [{ cidr: '10.1.2.3/16' }, { cidr: 'fd20::/48' }],
      joinSubnets: ['100.66.0.7/16'],
    };
    const layer2 = { role: 'Primary', subnets: ['fd21::7/64', '10.2.0.0/16'], joinSubnets: ['fd98::1/64'] };
    const spec = { topology: 'Layer2', layer2 };
    const metadata = { namespace: 'demo', name: 'red' };
    const ofTenant = { apiVersion: 'k8s.ovn.org/v1', kind: 'UserDefinedNetwork', metadata, spec };
    const wrong = network('wrong', {
      network: { topology: 'Layer3', layer3: { role: 5, subnets: [{ cidr: '10.1.2.3/16' }] } },
    });
    const listed = list(ofTenant, network('blue', { network: { topology: 'Layer3', layer3 } }));
    folder.write('a.json', JSON.stringify(listed));
    const { problems, warnings } = await validate();
    expect(problems).to.deep.equal([]);
    expect(warnings).to.deep.equal([
      '/a.json: ClusterUserDefinedNetwork/blue: spec.network.layer3.joinSubnets[0]: 100.66.0.7/16 has host bits: 100.66.0.0/16 is used',
      '/a.json: ClusterUserDefinedNetwork/blue: spec.network.layer3.subnets[0].cidr: 10.1.2.3/16 has host bits: 10.1.0.0/16 is used',
      '/a.json: UserDefinedNetwork/demo/red: spec.layer2.joinSubnets[0]: fd98::1/64 has host bits: fd98::/64 is used',
      '/a.json: UserDefinedNetwork/demo/red: spec.layer2.subnets[0]: fd21::7/64 has host bits: fd21::/64 is used',
    ]);
    folder.write('a.json', JSON.stringify(wrong));
    expect((await validate()).warnings, 'of what does not conform').to.deep.equal([]);
  });

  it('accepts an immutable field, as the object before is unknown', async () => {
    folder.write('a.json', JSON.stringify(network('blue', { uplinks: [] })));
    expect((await validate()).problems).to.deep.equal([]);
  });

  it('reads standard input', async () => {
    const text = JSON.stringify(uplink('blue', { hostInterfaceName: '..' }));
    expect(await validateManifests(['-'], standardInput(text))).to.deep.equal({
      problems: [
        {
          origin: inFile('-', 'Uplink/blue'),
          path: 'spec.nodeConfigs[0].hostInterfaceName',
          message: "must not be '.' or '..'",
        },
      ],
      warnings: [],
      objects: 1,
      otherKinds: new Map(),
    });
  });

  it('reports its progress after each file', async () => {
    folder.write('a.json', JSON.stringify(uplink('a')));
    const steps: (readonly [number, number])[] = [];
    await validateManifests([folder.path(''), '-'], standardInput(''), (done, total) => steps.push([done, total]));
    expect(steps).to.deep.equal([
      [1, 2],
      [2, 2],
    ]);
  });

  it('reports a hundred thousand invalid objects', async () => {
    const items = Array.from({ length: 100_000 }, (_, index) => uplink(`u${index}`, { hostInterfaceName: '..' }));
    folder.write('a.json', JSON.stringify(list(...items)));
    const { problems, objects } = await validateManifests([folder.path('')], standardInput(''));
    expect([problems.length, objects]).to.deep.equal([100_000, 100_000]);
  }).timeout(60_000);
});

function standardInput(text: string): Readable {
  return Readable.from([Buffer.from(text)]);
}
