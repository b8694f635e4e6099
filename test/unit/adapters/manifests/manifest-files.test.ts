import { Readable } from 'node:stream';
import { expect } from 'chai';
import { ManifestFiles } from '../../../../src/adapters/manifests/manifest-files.ts';
import { emptyCluster } from '../../../../src/domain/snapshot/cluster-snapshot.ts';
import { describeProblem, inFile } from '../../../../src/ports/input-problem.ts';
import { list, network, pod, uplink, uplinkState } from './example-objects.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

describe('a cluster out of files', () => {
  const folder = useTemporaryFolder();

  /** Reads the whole of the test's folder. */
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

  it('has each object in the list of its kind, with the file that it came from', async () => {
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
      ['nodes', 2],
      ['namespaces', 2],
      ['pods', 0],
      ['networkAttachmentDefinitions', 2],
      ['routeAdvertisements', 1],
      ['frrConfigurations', 1],
    ]);
  });

  it('takes objects from standard input, which is the file -', async () => {
    const standardInput = Readable.from([Buffer.from(JSON.stringify(uplink('blue')))]);
    const reading = await new ManifestFiles(['-'], { standardInput }).read();
    expect(reading.read && [...reading.value.origins]).to.deep.equal([['Uplink/blue', '-']]);
  });

  it('has no standard input where none is given', async () => {
    expect(await new ManifestFiles(['-']).read()).to.deep.equal({
      read: false,
      problems: [{ origin: inFile('-'), message: 'there is no standard input to read here' }],
    });
  });

  it('tells after each file how far it is', async () => {
    for (const name of ['a', 'b', 'c']) folder.write(`${name}.json`, JSON.stringify(uplink(name)));
    const steps: (readonly [number, number])[] = [];
    await new ManifestFiles([folder.path('')], { onProgress: (done, total) => steps.push([done, total]) }).read();
    expect(steps).to.deep.equal([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  describe('is used with a warning', () => {
    for (const { name, object, warning } of [
      {
        name: 'where a word is not known',
        object: uplink('blue', { type: 'SRIOV' }),
        warning: '/a.json: Uplink/blue: spec.nodeConfigs[0].type: expected one of OVSBridge, found string "SRIOV"',
      },
      {
        name: 'where a rule is violated',
        object: network('blue', { network: { topology: 'Localnet' } }),
        warning:
          '/a.json: ClusterUserDefinedNetwork/blue: spec: uplinks is only for primary Layer2 and Layer3 networks',
      },
      {
        name: 'where a field is not known',
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

    it('each of them, by file, object and path', async () => {
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

  describe('is not used, and every problem told', () => {
    it('where an object cannot be read', async () => {
      folder.write(
        'a.json',
        JSON.stringify(list(uplink('blue', { hostInterfaceName: 5 }), uplink('red', { type: 'SRIOV' }))),
      );
      expect(await problems()).to.deep.equal([
        '/a.json: Uplink/blue: spec.nodeConfigs[0].hostInterfaceName: expected a string, found number 5',
      ]);
    });

    it('where an object is given twice', async () => {
      folder.write('a.json', JSON.stringify(uplink('blue')));
      folder.write('b.json', JSON.stringify(uplink('blue')));
      expect(await problems()).to.deep.equal(['/b.json: Uplink/blue: is given twice: in /a.json and in /b.json']);
    });

    it('where a file cannot be read, beside what is wrong in others', async () => {
      folder.write('b.yaml', 'kind: [');
      folder.write('a.json', JSON.stringify(list({ ...uplink('blue'), metadata: { name: 'Blue' } }, 5)));
      folder.link('c.yaml', 'nowhere');
      expect((await problems()).map((problem) => problem.slice(0, 60))).to.deep.equal([
        '/a.json: items[1]: expected an object with apiVersion and ki',
        '/a.json: Uplink/Blue: metadata.name: expected a name of at m',
        '/b.yaml: line 1, column 8: unexpected end of the stream with',
        '/c.yaml: is a symbolic link to nothing',
      ]);
    });
  });
});
