import { expect } from 'chai';
import { problemOf } from '../../../../src/adapters/manifests/manifest-object.ts';
import { contentsOfText } from '../../../../src/adapters/manifests/manifest-text.ts';
import { isObjectName } from '../../../../src/adapters/validation/object-name.ts';
import { type KindKey, kinds } from '../../../../src/domain/api/kinds.ts';
import { describeProblem } from '../../../../src/ports/input-problem.ts';
import { pod, uplink } from './example-objects.ts';

function contentsOf(value: unknown) {
  return contentsOfText('a.json', JSON.stringify(value));
}

/** All problems of a value, as printed. */
function problemsOf(value: unknown): readonly string[] {
  const { objects, problems } = contentsOf(value);
  const ofObjects = objects.flatMap((object) => object.findings.map((finding) => problemOf(object, finding)));
  return [...problems, ...ofObjects].map(describeProblem);
}

const knownKinds: readonly {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name?: string;
  readonly key: KindKey;
}[] = [
  { apiVersion: 'k8s.ovn.org/v1alpha1', kind: 'Uplink', key: 'uplinks' },
  { apiVersion: 'k8s.ovn.org/v1alpha1', kind: 'UplinkState', key: 'uplinkStates' },
  { apiVersion: 'k8s.ovn.org/v1', kind: 'ClusterUserDefinedNetwork', key: 'clusterUserDefinedNetworks' },
  { apiVersion: 'k8s.ovn.org/v1', kind: 'UserDefinedNetwork', key: 'userDefinedNetworks' },
  { apiVersion: 'v1', kind: 'Node', key: 'nodes' },
  { apiVersion: 'v1', kind: 'Namespace', key: 'namespaces' },
  { apiVersion: 'v1', kind: 'Pod', key: 'pods' },
  { apiVersion: 'k8s.cni.cncf.io/v1', kind: 'NetworkAttachmentDefinition', key: 'networkAttachmentDefinitions' },
  { apiVersion: 'k8s.ovn.org/v1', kind: 'RouteAdvertisements', key: 'routeAdvertisements' },
  { apiVersion: 'frrk8s.metallb.io/v1beta1', kind: 'FRRConfiguration', key: 'frrConfigurations' },
  { apiVersion: 'frrk8s.metallb.io/v9', kind: 'FRRConfiguration', key: 'frrConfigurations' },
  { apiVersion: 'v1', kind: 'ConfigMap', name: 'ovn-uplinks-ids', key: 'configMaps' },
  { apiVersion: 'v1', kind: 'Service', key: 'services' },
  { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', key: 'endpointSlices' },
  { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', key: 'serviceCidrs' },
];

describe('an object', () => {
  describe('is identified by its group and kind:', () => {
    for (const { apiVersion, kind, key, name = 'a' } of knownKinds) {
      it(`${kind} of ${apiVersion}`, () => {
        expect(contentsOf({ apiVersion, kind, metadata: { name } }).objects.map((object) => object.key)).to.deep.equal([
          key,
        ]);
      });
    }

    it('all kinds are tested here', () => {
      expect(knownKinds.map(({ key }) => key)).to.include.members(Object.keys(kinds));
    });
  });

  const unread = { objects: [], problems: [], misspelled: [] };

  for (const { apiVersion, kind, counted, ...metadata } of [
    { apiVersion: 'apps/v1', kind: 'Deployment', counted: 'Deployment.apps' },
    { apiVersion: 'example.org/v1', kind: 'Uplink', counted: 'Uplink.example.org' },
    { apiVersion: 'v1', kind: 'Uplink', counted: 'Uplink' },
    { apiVersion: 'v1', kind: 'Podd', counted: 'Podd' },
    { apiVersion: 'k8s.ovn.org/v1', kind: 'Pod', counted: 'Pod.k8s.ovn.org' },
    { apiVersion: 'k8s.ovn.org/v1', kind: 'EgressIP', counted: 'EgressIP.k8s.ovn.org' },
    { apiVersion: 'k8s.ovn.org/v1', kind: 'EgressService', counted: 'EgressService.k8s.ovn.org' },
    { apiVersion: 'k8s.ovn.org/v1', kind: 'ClusterNetworkConnect', counted: 'ClusterNetworkConnect.k8s.ovn.org' },
    { apiVersion: 'k8s.ovn.org/v1', kind: 'VTEP', counted: 'VTEP.k8s.ovn.org' },
    { apiVersion: 'example.org/v1', kind: 'AllowList', counted: 'AllowList.example.org' },
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', counted: 'ConfigMap' },
  ]) {
    it(`is only counted if its kind is not used: ${kind} of ${apiVersion}`, () => {
      const contents = contentsOf({ apiVersion, kind, metadata });
      expect(contents).to.deep.equal({ ...unread, otherKinds: new Map([[counted, 1]]) });
    });
  }

  for (const { kind, group = 'k8s.ovn.org', meant } of [
    { kind: 'Uplnik', meant: 'Uplink' },
    { kind: 'uplink', meant: 'Uplink' },
    { kind: 'Uplinks', meant: 'Uplink' },
    { kind: 'ClusterUserDefinedNetwrok', meant: 'ClusterUserDefinedNetwork' },
    { kind: 'UserDefinedNetworks', meant: 'UserDefinedNetwork' },
    { kind: 'RouteAdvertisement', meant: 'RouteAdvertisements' },
    { kind: 'NetworkAttachmentDefinitions', group: 'k8s.cni.cncf.io', meant: 'NetworkAttachmentDefinition' },
  ]) {
    it(`has a misspelled kind if it is near one of its group: ${kind}`, () => {
      const message = `kind ${kind} of group ${group} is not known; did you mean ${meant}?`;
      const { misspelled, ...others } = contentsOf({ apiVersion: `${group}/v1`, kind, metadata: { name: 'a' } });
      expect(misspelled.map(describeProblem)).to.deep.equal([`a.json: ${message}`]);
      expect(others).to.deep.equal({ objects: [], problems: [], otherKinds: new Map() });
    });
  }

  for (const { value, message } of [
    { value: [1, 2], message: 'a.json: expected an object with apiVersion and kind, found a list of 2 items' },
    { value: {}, message: 'a.json: expected an apiVersion, found nothing' },
    { value: { apiVersion: 1, kind: 'Uplink' }, message: 'a.json: expected an apiVersion, found number 1' },
    { value: { apiVersion: '', kind: 'Uplink' }, message: 'a.json: expected an apiVersion, found string ""' },
    { value: { apiVersion: 'v1', kind: '' }, message: 'a.json: expected a kind, found string ""' },
    { value: { apiVersion: 'v1' }, message: 'a.json: expected a kind, found nothing' },
    { value: { apiVersion: 'v1', kind: ['Pod'] }, message: 'a.json: expected a kind, found a list of 1 item' },
  ]) {
    it(`needs apiVersion and kind: ${JSON.stringify(value)}`, () => {
      expect(problemsOf(value)).to.deep.equal([message]);
    });
  }

  it('is not checked further if it has another version of a kind that this project defines', () => {
    expect(problemsOf({ ...uplink('blue'), apiVersion: 'k8s.ovn.org/v1', spec: 5 })).to.deep.equal([
      'a.json: Uplink/blue: apiVersion: expected k8s.ovn.org/v1alpha1, found string "k8s.ovn.org/v1"',
    ]);
  });

  describe('has the namespace of the API server:', () => {
    for (const { name, value, label, namespace } of [
      { name: 'that of a pod', value: pod('a', 'web'), label: 'Pod/web/a', namespace: 'web' },
      { name: 'default, for a pod without one', value: pod('a'), label: 'Pod/default/a', namespace: 'default' },
      {
        name: 'default, for a pod with an empty one',
        value: pod('a', ''),
        label: 'Pod/default/a',
        namespace: 'default',
      },
      {
        name: 'none, for an Uplink with one',
        value: { ...uplink('blue'), metadata: { name: 'blue', namespace: 'web' } },
        label: 'Uplink/blue',
        namespace: undefined,
      },
    ]) {
      it(name, () => {
        const { objects } = contentsOf(value);
        expect(objects.map((object) => object.label)).to.deep.equal([label]);
        expect(objects.map(({ object }) => object['metadata'])).to.deep.equal([
          { name: label.split('/').at(-1), ...(namespace !== undefined && { namespace }) },
        ]);
        expect(problemsOf(value)).to.deep.equal([]);
      });
    }
  });

  describe('with a name', () => {
    for (const name of ['a', 'blue-underlay.worker-a', '0', 'x'.repeat(63), `${'a.'.repeat(126)}a`]) {
      it(`is valid: ${name.slice(0, 30)}`, () => {
        expect(problemsOf(uplink(name))).to.deep.equal([]);
      });
    }

    for (const name of ['Blue', '-a', 'a-', 'a_b', 'a..b', '.a', 'a.', 'a/b', 'a.-b', 'blå', 'a\n', ' ']) {
      it(`is invalid: ${JSON.stringify(name)}`, () => {
        expect(problemsOf(uplink(name))).to.deep.equal([
          `a.json: Uplink/${name}: metadata.name: expected a name of at most 253 lower-case letters, digits, "-" and ".", with a letter or digit at both ends and on both sides of each ".", found string ${JSON.stringify(name)}`,
        ]);
      });
    }

    it('is invalid if the name is longer than 253 characters', () => {
      expect(isObjectName('x'.repeat(253))).to.equal(true);
      expect(isObjectName('x'.repeat(254))).to.equal(false);
      expect(problemsOf(pod('x'.repeat(254), 'web'))).to.deep.equal([
        `a.json: Pod/web/${'x'.repeat(254)}: metadata.name: expected at most 253 characters, found string "${'x'.repeat(56)}…"`,
      ]);
    });

    it('is reported by its position if it has no name', () => {
      expect(problemsOf({ ...uplink('blue'), metadata: {} })).to.deep.equal([
        'a.json: Uplink: metadata.name: expected a value, found nothing',
      ]);
      expect(
        problemsOf({ kind: 'List', items: [{ ...uplink('blue'), metadata: { generateName: 'blue-' } }] }),
      ).to.deep.equal(['a.json: Uplink at items[0]: metadata.name: expected a value, found nothing']);
      expect(problemsOf({ ...uplink('blue'), metadata: { name: '' } })).to.deep.equal([
        'a.json: Uplink: metadata.name: expected at least 1 character, found string ""',
      ]);
    });
  });
});
