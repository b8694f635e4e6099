import { expect } from 'chai';
import type { ClusterSnapshot } from '../../../src/domain/index.ts';
import { network, routeAdvertisements } from '../domain/brief-objects.ts';
import { capturedSituation } from './captured-situation.ts';
import { runInProcess, type Situation } from './run-in-process.ts';

/** The objects that go with the captured node, but for some kinds; no node is captured, so that objects alone are warned of. */
async function situationWith(kinds: Partial<ClusterSnapshot>): Promise<Situation> {
  const { cluster } = await capturedSituation();
  return { cluster: { ...cluster, ...kinds }, nodes: [] };
}

/** Everything that a plan as JSON warns of. */
async function warningsOf(kinds: Partial<ClusterSnapshot>, ...args: readonly string[]): Promise<unknown> {
  const { out } = await runInProcess(await situationWith(kinds), ['plan', '--output', 'json', ...args]);
  return (JSON.parse(out.join('\n')) as { readonly warnings: unknown }).warnings;
}

const noAttachment =
  'cluster.yaml: has no NetworkAttachmentDefinition, so no network counts as allocated; "kubectl get network-attachment-definitions -A -o yaml" prints them';
const noFrrConfiguration =
  'cluster.yaml: has RouteAdvertisements and no FRRConfiguration, without which they have no effect; "kubectl get frrconfigurations -A -o yaml" prints them';
const bothMissing = { networkAttachmentDefinitions: [], frrConfigurations: [] };

describe('kinds that are missing among the cluster objects', () => {
  const cases: readonly (readonly [name: string, kinds: Partial<ClusterSnapshot>, warnings: readonly string[]])[] = [
    ['are not warned of where all are there', {}, []],
    ['are warned of: NetworkAttachmentDefinition', { networkAttachmentDefinitions: [] }, [noAttachment]],
    ['are warned of: FRRConfiguration', { frrConfigurations: [] }, [noFrrConfiguration]],
    ['are warned of each where several are missing', bothMissing, [noFrrConfiguration, noAttachment]],
    [
      'are warned of where one network among others has an uplink',
      { ...bothMissing, clusterUserDefinedNetworks: [network('a', { uplinks: [] }), network('b')] },
      [noFrrConfiguration, noAttachment],
    ],
    [
      'are not warned of where no network has an uplink',
      {
        ...bothMissing,
        clusterUserDefinedNetworks: [network('a', { uplinks: [] }), network('b', { uplinks: undefined })],
        routeAdvertisements: [routeAdvertisements('all')],
      },
      [],
    ],
    ['are not warned of where nothing is advertised', { routeAdvertisements: [], frrConfigurations: [] }, []],
  ];
  for (const [name, kinds, warnings] of cases) {
    it(name, async () => {
      expect(await warningsOf(kinds)).to.deep.equal(warnings);
    });
  }

  describe('where ovn-uplinks provides networks', () => {
    const noClaims =
      'cluster.yaml: has no ConfigMap ovn-uplinks-ids, so no network has an id; "kubectl get configmaps -n ovn-uplinks -o yaml" prints it';
    const metadata = { namespace: 'ovn-uplinks', name: 'ovn-uplinks-ids' };
    const claims = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} };
    const claimed = { networkAttachmentDefinitions: [], configMaps: [claims] };
    const unclaimed = { networkAttachmentDefinitions: [], configMaps: [] };
    const withoutUplinks = { ...unclaimed, clusterUserDefinedNetworks: [network('a', { uplinks: [] })] };
    const elsewhere = noClaims.replace('-n ovn-uplinks ', '-n elsewhere ');
    const rows: readonly (readonly [string, Partial<ClusterSnapshot>, readonly string[], readonly string[]])[] = [
      ['are no NetworkAttachmentDefinitions, which follow from the claims', claimed, ['--networks', 'all'], []],
      ['are the claims of ids', unclaimed, ['--networks', 'all'], [noClaims]],
      ['are those of networks with uplinks', unclaimed, ['--networks', 'with-uplinks'], [noClaims]],
      ['are those of networks without uplinks', withoutUplinks, ['--networks', 'all'], [noClaims]],
      ['are none of networks of another implementation', withoutUplinks, ['--networks', 'with-uplinks'], []],
      [
        'are those of its own namespace',
        claimed,
        ['--networks', 'all', '--system-namespace', 'elsewhere'],
        [elsewhere],
      ],
    ];
    for (const [name, kinds, words, warnings] of rows) {
      it(name, async () => {
        const found = (await warningsOf(kinds, ...words)) as readonly string[];
        expect(found.filter((text) => text.includes(': has no '))).to.deep.equal(warnings);
      });
    }
  });

  it('are reported with every path that was given', async () => {
    const warnings = await warningsOf({ networkAttachmentDefinitions: [] }, '--cluster', 'more.yaml');
    expect(warnings).to.deep.equal([`more.yaml, ${noAttachment}`]);
  });

  it('are printed as warnings, and do not prevent a plan', async () => {
    const { out, err, exitCode } = await runInProcess(await situationWith({ frrConfigurations: [] }), ['plan']);
    expect(out.slice(out.indexOf('Warnings') + 1, out.lastIndexOf(''))).to.deep.equal([`  ${noFrrConfiguration}`]);
    expect(err).to.deep.equal([]);
    expect(exitCode).to.equal(0);
  });

  it('are printed beside an explanation', async () => {
    const situation = await situationWith({ networkAttachmentDefinitions: [] });
    const { err, exitCode } = await runInProcess(situation, ['explain', 'blue', 'worker-a']);
    expect(err).to.deep.equal([`warning: ${noAttachment}`]);
    expect(exitCode).to.equal(0);
  });
});
