import { NETWORK_ID_ANNOTATION } from '../../../../src/domain/basics/conventions.ts';
import { attachmentDefinition } from '../../../../src/domain/network/provision/attachment-definition.ts';
import { readNetwork } from '../brief-objects.ts';
import { expect } from 'chai';
import type { UplinkState } from '../../../../src/domain/index.ts';
import { conditionDifference, isStored, objectDifference } from '../../../../src/domain/objects/differences.ts';
import {
  conditionsWrite,
  definitionWrite,
  providedStatusWrite,
  reportWrite,
  stateWrite,
} from '../../../../src/domain/objects/writes.ts';
import { uplinkStateObject } from '../../../../src/domain/status/uplink-state-object.ts';

const ready = { type: 'Ready', status: 'True', reason: 'Ready', message: '' } as const;
const facts = {
  bridge: 'br-blue',
  macAddress: '02:00:00:00:00:01',
  ipAddresses: ['192.0.2.6/24'],
  defaultGateways: [],
};
const networks = [
  { name: 'blue', ready: 'True', reason: 'Ready', message: '' },
  { name: 'red', ready: 'False', reason: 'NetworkNotAllocated', message: 'no id' },
] as const;
const state = uplinkStateObject({ uplink: 'u', uid: 'u-1' }, 'a', ready, {
  hostInterfaceName: 'br-blue',
  facts,
  networks,
});
const write = stateWrite(state);
const stored = structuredClone(state) as unknown as UplinkState;
const fieldsOf = (present: UplinkState) => objectDifference(write, present).fields.map(({ field }) => field);
const withStatus = (status: object): UplinkState => ({ ...stored, status: { ...stored.status, ...status } });
const withMetadata = (metadata: object): UplinkState => ({ ...stored, metadata: { ...stored.metadata, ...metadata } });

describe('a state that is stored', () => {
  const same: Readonly<Record<string, UplinkState>> = {
    'as it is to be written': stored,
    'with a label of somebody else': withMetadata({ labels: { ...stored.metadata.labels, theirs: 'x' } }),
    'with an annotation of somebody else': withMetadata({
      annotations: { ...stored.metadata.annotations, theirs: 'x' },
    }),
    'with another owner besides': withMetadata({
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'p-1' }, ...stored.metadata.ownerReferences!],
    }),
    'with fields that the API server adds': withMetadata({ resourceVersion: '7', managedFields: [] }),
    'with a condition of somebody else': withStatus({
      conditions: [{ type: 'HostReady', status: 'True', reason: 'Ready' }, ...stored.status!.conditions!],
    }),
    'with the time of a transition': withStatus({
      conditions: [{ ...ready, lastTransitionTime: '2026-11-20T08:00:00Z' }],
    }),
    'with the networks of a DPU’s host': withStatus({ hostNetworks: [networks[0]] }),
    'without empty lists and messages': withStatus({
      defaultGateways: undefined,
      networks: [{ name: 'blue', ready: 'True', reason: 'Ready' }, networks[1]],
    }),
    'with networks in another order': withStatus({ networks: networks.toReversed() }),
  };
  for (const [how, present] of Object.entries(same)) {
    it(`${how} is not written again`, () => {
      expect(fieldsOf(present)).to.deep.equal([]);
      expect(isStored(write, present)).to.equal(true);
    });
  }

  const different: Readonly<Record<string, readonly [present: UplinkState, fields: readonly string[]]>> = {
    'without a label of ours': [withMetadata({ labels: {} }), ['labels']],
    'with another annotation of ours': [
      withMetadata({ annotations: { ...stored.metadata.annotations, 'k8s.ovn.org/uplink': 'v' } }),
      ['annotation k8s.ovn.org/uplink u'],
    ],
    'without its owner': [withMetadata({ ownerReferences: [] }), ['ownerReferences']],
    'with another address': [withStatus({ ipAddresses: ['192.0.2.7/24'] }), ['ipAddresses']],
    'with a field that is obsolete': [withStatus({ defaultGateways: ['192.0.2.1'] }), ['defaultGateways']],
    'with a network that is obsolete': [
      withStatus({ networks: [...networks, { ...networks[0], name: 'x' }] }),
      ['networks'],
    ],
    'with another message of a network': [
      withStatus({ networks: networks.map((network) => ({ ...network, message: 'odd' })) }),
      ['networks'],
    ],
    'with another message': [withStatus({ conditions: [{ ...ready, message: 'odd' }] }), []],
    'without its condition': [withStatus({ conditions: [] }), []],
  };
  for (const [how, [present, fields]] of Object.entries(different)) {
    it(`${how} is written again`, () => {
      expect(fieldsOf(present)).to.deep.equal(fields);
      expect(isStored(write, present)).to.equal(false);
    });
  }
});

describe('a condition', () => {
  it('differs in status or reason, in its message alone, or not at all', () => {
    const found = [
      [],
      [{ ...ready, type: 'Other' }],
      [{ ...ready, status: 'False' }],
      [{ ...ready, reason: 'Odd', message: 'odd' }],
      [{ ...ready, message: 'odd' }],
      [{ type: 'Ready', status: 'True', reason: 'Ready' }],
    ].map((conditions) => conditionDifference(ready, conditions));
    expect(found).to.deep.equal(['missing', 'missing', 'status-or-reason', 'status-or-reason', 'message', 'none']);
  });
});

describe('a condition of an object with a generation', () => {
  const stored = (observedGeneration?: number) => [
    { ...ready, message: 'odd', ...(observedGeneration !== undefined && { observedGeneration }) },
  ];

  it('differs if it was stored for another one, even if nothing else has changed', () => {
    const wanted = { ...ready, message: 'odd', observedGeneration: 2 };
    const found = [stored(2), stored(1), stored()].map((conditions) => conditionDifference(wanted, conditions));
    expect(found).to.deep.equal(['none', 'generation', 'generation']);
  });
});

describe('the finalizer of ovn-uplinks', () => {
  const own = 'k8s.ovn.org/uplink-protection';
  const cases: readonly (readonly [wanted: readonly string[], stored: readonly string[], fields: readonly object[]])[] =
    [
      [['theirs', own], ['theirs'], [{ mark: '+', field: `finalizer ${own}` }]],
      [['theirs'], [own, 'theirs'], [{ mark: '-', field: `finalizer ${own}` }]],
      [[own], [own, 'theirs'], []],
      [['theirs'], [], []],
    ];
  for (const [wanted, finalizers, fields] of cases) {
    it(`is compared alone where ${wanted.join()} are wanted and ${finalizers.join() || 'none'} stored`, () => {
      const uplink = conditionsWrite({ kind: 'Uplink', name: 'u', finalizers: wanted, conditions: [] });
      expect(objectDifference(uplink, { metadata: { finalizers } }).fields).to.deep.equal(fields);
    });
  }
});

describe('a NetworkAttachmentDefinition', () => {
  const wanted = attachmentDefinition(readNetwork('blue'), 'demo', 7, 'n-1');
  const written = definitionWrite(wanted);
  const differencesTo = (metadata: object, spec: object = wanted.spec) =>
    objectDifference(written, { metadata: { ...wanted.metadata, ...metadata }, spec }).fields.map(({ field }) => field);
  const [owner] = wanted.metadata.ownerReferences;

  const rows: readonly (readonly [how: string, metadata: object, fields: readonly string[], spec?: object])[] = [
    ['as it is written', {}, []],
    ['without what is not read of its owner', { ownerReferences: [{ ...owner, blockOwnerDeletion: undefined }] }, []],
    ['with more owners', { ownerReferences: [{ kind: 'Pod', name: 'p', uid: 'p-1' }, owner] }, []],
    ['of another uid', { ownerReferences: [{ ...owner, uid: 'other' }] }, ['ownerReferences']],
    [
      'with another id',
      { annotations: { ...wanted.metadata.annotations, [NETWORK_ID_ANNOTATION]: '8' } },
      [`annotation ${NETWORK_ID_ANNOTATION} 7`],
    ],
    ['without its finalizer', { finalizers: [] }, [`finalizer ${wanted.metadata.finalizers[0]}`]],
    ['with another configuration', {}, ['spec'], { config: '{}' }],
  ];
  for (const [how, metadata, fields, spec] of rows) {
    it(`${how} differs in ${fields.join(', ') || 'nothing'}`, () => {
      expect(differencesTo(metadata, spec)).to.deep.equal(fields);
    });
  }
});

describe('a network that ovn-uplinks provides', () => {
  const network = { kind: 'ClusterUserDefinedNetwork', name: 'blue', conditions: [] } as const;
  const write = providedStatusWrite({ ...network, activeNamespaces: ['demo'], attachedPods: 2 });

  it('differs in fields of its status, of which the number of pods changes often', () => {
    const { fields } = objectDifference(write, { status: { activeNamespaces: [], attachedPods: 1 } });
    expect(fields).to.deep.equal([
      { mark: '~', field: 'attachedPods', isFrequent: true },
      { mark: '~', field: 'activeNamespaces' },
    ]);
  });

  it('does not differ in fields that the definition of another implementation does not have', () => {
    expect(isStored(write, { status: {} })).to.equal(true);
  });
});

describe('the report of a node', () => {
  const report = { namespace: 'ovn-uplinks', name: 'node-a', labels: {}, owner: { name: 'a', uid: 'a-1' } };
  const write = reportWrite({ ...report, data: { ids: '7' } });
  const metadata = write.metadata!;

  it('differs in each entry that is missing, obsolete or another', () => {
    const rows = [{ ids: '7' }, {}, { ids: '8' }, { ids: '7', former: 'x' }].map((data) =>
      objectDifference(write, { metadata, data }).fields.map(({ field }) => field),
    );
    expect(rows).to.deep.equal([[], ['data ids'], ['data ids'], ['data former']]);
  });
});
