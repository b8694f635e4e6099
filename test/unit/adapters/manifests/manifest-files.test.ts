import { Readable } from 'node:stream';
import { expect } from 'chai';
import { ManifestFiles } from '../../../../src/adapters/manifests/manifest-files.ts';
import { emptyCluster } from '../../../../src/domain/snapshot/cluster-snapshot.ts';
import { describeProblem, inFile } from '../../../../src/ports/input-problem.ts';
import { list, network, pod, uplink, uplinkState } from './example-objects.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

describe('a cluster in files', () => {
  const folder = useTemporaryFolder();

  /** Reads the folder of the test. */
  async function read() {
    return await new ManifestFiles([folder.path('')]).read();
  }

  async function problems(): Promise<readonly string[]> {
    const reading = await read();
    return reading.read
      ? []
      : reading.problems.map((problem) => describeProblem(problem).replaceAll(folder.path(''), ''));
  }

  async function warnings(): Promise<readonly string[] | 'not read'> {
    const reading = await read();
    return reading.read
      ? reading.value.warnings.map((problem) => describeProblem(problem).replaceAll(folder.path(''), ''))
      : 'not read';
  }

  it('has each object in the list of its kind, with its file', async () => {
    const file = folder.write('a.json', JSON.stringify(list(uplink('blue'), network('blue'), pod('a', 'web'))));
    const other = folder.write('b.json', JSON.stringify(uplinkState('blue.worker-a')));
    expect(await read()).to.deep.equal({
      read: true,
      value: {
        snapshot: {
          ...emptyCluster,
          uplinks: [uplink('blue')],
          uplinkStates: [uplinkState('blue.worker-a')],
          clusterUserDefinedNetworks: [network('blue')],
          pods: [pod('a', 'web')],
        },
        origins: new Map([
          ['Uplink/blue', file],
          ['ClusterUserDefinedNetwork/blue', file],
          ['Pod/web/a', file],
          ['UplinkState/blue.worker-a', other],
        ]),
        warnings: [],
      },
    });
  });

  it('is read from the fixture without a warning', async () => {
    const reading = await new ManifestFiles([`${import.meta.dirname}/../../../../fixtures/cluster.yaml`]).read();
    expect(reading.read && reading.value.warnings).to.deep.equal([]);
    expect(
      reading.read && Object.entries(reading.value.snapshot).map(([key, objects]) => [key, objects.length]),
    ).to.deep.equal([
      ['uplinks', 2],
      ['uplinkStates', 1],
      ['clusterUserDefinedNetworks', 2],
      ['userDefinedNetworks', 0],
      ['nodes', 2],
      ['namespaces', 2],
      ['pods', 0],
      ['networkAttachmentDefinitions', 2],
      ['configMaps', 0],
      ['routeAdvertisements', 1],
      ['frrConfigurations', 1],
      ['services', 0],
      ['endpointSlices', 0],
      ['serviceCidrs', 0],
    ]);
  });

  it('includes objects from standard input, with the file name -', async () => {
    const standardInput = Readable.from([Buffer.from(JSON.stringify(uplink('blue')))]);
    const reading = await new ManifestFiles(['-'], { standardInput }).read();
    expect(reading.read && [...reading.value.origins]).to.deep.equal([['Uplink/blue', '-']]);
  });

  it('cannot be read from standard input if there is none', async () => {
    expect(await new ManifestFiles(['-']).read()).to.deep.equal({
      read: false,
      problems: [{ origin: inFile('-'), message: 'is standard input, which cannot be read here' }],
    });
  });

  it('reports its progress after each file', async () => {
    for (const name of ['a', 'b', 'c']) folder.write(`${name}.json`, JSON.stringify(uplink(name)));
    const steps: (readonly [number, number])[] = [];
    await new ManifestFiles([folder.path('')], { onProgress: (done, total) => steps.push([done, total]) }).read();
    expect(steps).to.deep.equal([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  describe('is read with a warning for', () => {
    for (const { name, object, warning } of [
      {
        name: 'an unknown enum value',
        object: uplink('blue', { type: 'SRIOV' }),
        warning: '/a.json: Uplink/blue: spec.nodeConfigs[0].type: expected one of OVSBridge, found string "SRIOV"',
      },
      {
        name: 'a violated rule',
        object: network('blue', { network: { topology: 'Localnet' } }),
        warning:
          '/a.json: ClusterUserDefinedNetwork/blue: spec: uplinks is only for primary Layer2 and Layer3 networks',
      },
      {
        name: 'an unknown field',
        object: uplink('blue', { nodeSelectors: {} }),
        warning:
          '/a.json: Uplink/blue: spec.nodeConfigs[0].nodeSelectors: unknown field, which the API server drops; did you mean nodeSelector?',
      },
    ]) {
      it(name, async () => {
        folder.write('a.json', JSON.stringify(object));
        expect(await warnings()).to.deep.equal([warning]);
        const reading = await read();
        expect(
          reading.read && [...reading.value.snapshot.uplinks, ...reading.value.snapshot.clusterUserDefinedNetworks],
        ).to.deep.equal([object]);
      });
    }

    it('all of these, sorted by file, object and path', async () => {
      folder.write('b.json', JSON.stringify(uplink('blue', { type: 'SRIOV' })));
      folder.write(
        'a.json',
        JSON.stringify(list(uplink('red', { type: 'SRIOV', hostInterfaceName: '..' }), uplink('green', { type: 'X' }))),
      );
      const paths = (await warnings()).toString().match(/\/\S+: \S+: \S+:/g);
      expect(paths).to.deep.equal([
        '/a.json: Uplink/green: spec.nodeConfigs[0].type:',
        '/a.json: Uplink/red: spec.nodeConfigs[0].hostInterfaceName:',
        '/a.json: Uplink/red: spec.nodeConfigs[0].type:',
        '/b.json: Uplink/blue: spec.nodeConfigs[0].type:',
      ]);
    });
  });

  describe('is not read, with all problems reported, if', () => {
    it('an object does not conform to its kind', async () => {
      folder.write(
        'a.json',
        JSON.stringify(list(uplink('blue', { hostInterfaceName: 5 }), uplink('red', { type: 'SRIOV' }))),
      );
      expect(await problems()).to.deep.equal([
        '/a.json: Uplink/blue: spec.nodeConfigs[0].hostInterfaceName: expected a string, found number 5',
      ]);
    });

    it('an object is defined twice', async () => {
      folder.write('a.json', JSON.stringify(uplink('blue')));
      folder.write('b.json', JSON.stringify(uplink('blue')));
      expect(await problems()).to.deep.equal(['/b.json: Uplink/blue: is defined twice: in /a.json and in /b.json']);
    });

    it('a file cannot be read and others have problems', async () => {
      folder.write('b.yaml', 'kind: [');
      folder.write('a.json', JSON.stringify(list({ ...uplink('blue'), metadata: { name: 'Blue' } }, 5)));
      folder.link('c.yaml', 'nowhere');
      expect((await problems()).map((problem) => problem.slice(0, 60))).to.deep.equal([
        '/a.json: items[1]: expected an object with apiVersion and ki',
        '/a.json: Uplink/Blue: metadata.name: expected a name of at m',
        '/b.yaml: line 1, column 8: unexpected end of the stream with',
        '/c.yaml: is a dangling symbolic link',
      ]);
    });
  });
});
