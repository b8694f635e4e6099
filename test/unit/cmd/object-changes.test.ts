import { expect } from 'chai';
import { isAnythingToDo, objectChanges, writtenConditions } from '../../../src/cmd/output/object-changes.ts';
import {
  type ClusterSnapshot,
  defaultSettings,
  type Preview,
  preview,
  type UplinkState,
} from '../../../src/domain/index.ts';
import { completeNode } from '../../../src/testing/index.ts';
import { attachment, cluster, network, node, uplink } from '../domain/brief-objects.ts';
import { withWritten } from './with-written.ts';

const before = cluster({
  nodes: [node('a')],
  uplinks: [uplink('blue', 'br-blue', { uid: 'u-1' })],
  clusterUserDefinedNetworks: [network('blue'), network('green')],
  networkAttachmentDefinitions: [attachment('blue', '7')],
});
// Another's VRF in the wrong place: nothing is done on the node, and everything is written.
const snapshot = completeNode({
  nodeName: 'a',
  links: [
    { name: 'br-blue', addresses: [{ address: '192.0.2.6', prefixLength: 24 }] },
    { name: 'eth1' },
    { name: 'ovn-k8s-mp7', index: 9 },
    { name: 'blue', kind: 'vrf', vrfTable: 5 },
  ],
  bridges: [{ name: 'br-blue', ports: [{ name: 'eth1' }] }],
});
const plan = (of: ClusterSnapshot) => preview(of, [snapshot], defaultSettings);
const written = (of = before) => withWritten(of, plan(of));

/** The changes of a cluster in which everything but one field is as it would be written. */
function changesAfter(change: (after: ClusterSnapshot) => ClusterSnapshot) {
  const present = change(written());
  const planned = plan(present);
  return {
    changes: objectChanges(planned, present).map(({ mark, object, what }) => `${mark} ${object} ${what}`.trim()),
    marks: writtenConditions(planned, present).flatMap(({ mark, object }) =>
      mark === '' ? [] : [`${mark} ${object}`],
    ),
    isAnything: isAnythingToDo(planned, present),
  };
}

const state = (change: (of: UplinkState) => UplinkState) => (after: ClusterSnapshot) => ({
  ...after,
  uplinkStates: after.uplinkStates.map(change),
});
const status = (change: Partial<NonNullable<UplinkState['status']>>) =>
  state((of) => ({ ...of, status: { ...of.status, ...change } }));
const metadata = (change: Partial<UplinkState['metadata']>) =>
  state((of) => ({ ...of, metadata: { ...of.metadata, ...change } }));
const finalizers =
  (...names: readonly string[]) =>
  (after: ClusterSnapshot) => ({
    ...after,
    uplinks: after.uplinks.map((of) => ({ ...of, metadata: { ...of.metadata, finalizers: [...names] } })),
  });
const protection = 'k8s.ovn.org/uplink-protection';

describe('changes of stored objects', () => {
  it('include everything of a cluster without status', () => {
    const planned = plan(before);
    expect(writtenConditions(planned, before).map(({ mark }) => mark)).to.deep.equal(['+', '+', '+', '+']);
    expect(objectChanges(planned, before).map(({ object, what }) => `${object} ${what}`)).to.deep.equal([
      `Uplink/blue finalizer ${protection}`,
    ]);
    expect(isAnythingToDo(planned, before)).to.be.true;
  });

  const nothing: readonly (readonly [what: string, change: (after: ClusterSnapshot) => ClusterSnapshot])[] = [
    ['once it was written', (after) => after],
    [
      'where times of transition are others',
      status({
        conditions: (written().uplinkStates[0]?.status?.conditions ?? []).map((condition) => ({
          ...condition,
          lastTransitionTime: '2001-01-01T00:00:00Z',
        })),
      }),
    ],
    [
      'where another client has labelled and annotated the state',
      metadata({
        labels: { ...written().uplinkStates[0]?.metadata.labels, theirs: '' },
        annotations: { ...written().uplinkStates[0]?.metadata.annotations, theirs: '' },
      }),
    ],
    ['where others have finalizers too', finalizers('theirs', protection)],
    [
      'where the API server stores more fields of the owner',
      metadata({
        ownerReferences: (written().uplinkStates[0]?.metadata.ownerReferences ?? []).map((owner) => ({
          blockOwnerDeletion: true,
          ...owner,
        })),
      }),
    ],
    [
      'where an empty list was not stored',
      state((of) => {
        const { defaultGateways: _none, ...rest } = of.status ?? {};
        return { ...of, status: rest };
      }),
    ],
    [
      'where an empty message was not stored',
      state((of) => ({
        ...of,
        status: {
          ...of.status,
          networks: (of.status?.networks ?? []).map(({ message = '', ...entry }) => ({
            ...entry,
            ...(message !== '' && { message }),
          })),
        },
      })),
    ],
    [
      'where lists and fields were stored in another order',
      state((of) => ({
        ...of,
        status: {
          ...of.status,
          networks: (of.status?.networks ?? [])
            .map((entry) => Object.fromEntries(Object.entries(entry).reverse()) as unknown as typeof entry)
            .reverse(),
        },
      })),
    ],
    [
      'where conditions of others are there',
      (after) => ({
        ...after,
        uplinks: after.uplinks.map((of) => ({
          ...of,
          status: { conditions: [...(of.status?.conditions ?? []), { type: 'Theirs', status: 'True', reason: 'R' }] },
        })),
      }),
    ],
  ];
  for (const [what, change] of nothing) {
    it(`are none ${what}`, () => {
      expect(changesAfter(change)).to.deep.equal({ changes: [], marks: [], isAnything: false });
    });
  }

  const one: readonly (readonly [
    what: string,
    change: (after: ClusterSnapshot) => ClusterSnapshot,
    changes: readonly string[],
    marks?: readonly string[],
  ])[] = [
    ['a MAC address', status({ macAddress: '02:00:00:00:00:99' }), ['~ UplinkState/blue.a macAddress']],
    [
      'an address more',
      status({ ipAddresses: ['192.0.2.6/24', '2001:db8::6/64'] }),
      ['~ UplinkState/blue.a ipAddresses'],
    ],
    ['a network that has gone', status({ networks: [] }), ['~ UplinkState/blue.a networks']],
    [
      'two fields',
      status({ macAddress: 'x', hostInterfaceName: 'br-blue', type: 'OVSBridge', defaultGateways: ['192.0.2.9'] }),
      ['~ UplinkState/blue.a defaultGateways, macAddress'],
    ],
    ['a lost label', metadata({ labels: {} }), ['~ UplinkState/blue.a labels']],
    [
      'another annotation',
      metadata({ annotations: { 'k8s.ovn.org/uplink': 'red' } }),
      ['~ UplinkState/blue.a annotation k8s.ovn.org/node a, annotation k8s.ovn.org/uplink blue'],
    ],
    ['a lost owner', metadata({ ownerReferences: [] }), ['~ UplinkState/blue.a ownerReferences']],
    ['a lost finalizer', finalizers('theirs'), [`+ Uplink/blue finalizer ${protection}`]],
    [
      'a finalizer that nobody needs',
      (after) => ({ ...finalizers(protection)(after), clusterUserDefinedNetworks: [] }),
      [`- Uplink/blue finalizer ${protection}`, '~ UplinkState/blue.a networks'],
    ],
    [
      'a state that is obsolete',
      (after) => ({
        ...after,
        uplinkStates: [
          ...after.uplinkStates,
          { ...after.uplinkStates[0]!, metadata: { name: 'gone.a' }, status: { uplinkName: 'gone', nodeName: 'a' } },
        ],
      }),
      ['- UplinkState/gone.a'],
    ],
    ['a lost state', (after) => ({ ...after, uplinkStates: [] }), [], ['+ UplinkState/blue.a']],
    ...(
      [
        ['status', { status: 'Unknown' }],
        ['reason', { reason: 'Old' }],
        ['message', { message: 'old' }],
      ] as const
    ).map(
      ([field, change]) =>
        [
          `another ${field} of a condition`,
          (after: ClusterSnapshot) => ({
            ...after,
            uplinks: after.uplinks.map((of) => ({
              ...of,
              status: { conditions: (of.status?.conditions ?? []).map((condition) => ({ ...condition, ...change })) },
            })),
          }),
          [],
          ['~ Uplink/blue'],
        ] as const,
    ),
  ];
  for (const [what, change, changes, marks = []] of one) {
    it(`are ${what}, and nothing else`, () => {
      expect(changesAfter(change)).to.deep.equal({ changes, marks, isAnything: true });
    });
  }

  it('are those of Uplinks, then those of provided networks, with the number of their pods', () => {
    const settings = { ...defaultSettings, providedNetworks: 'all' } as const;
    const named = { namespace: 'demo', labels: { 'k8s.ovn.org/primary-user-defined-network': '' } };
    const provided = cluster({
      nodes: [node('a', { annotations: { 'k8s.ovn.org/node-id': '1' } })],
      namespaces: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { ...named, name: 'demo' } }],
      uplinks: [uplink('blue', 'br-blue')],
      clusterUserDefinedNetworks: [network('blue')],
      userDefinedNetworks: [
        {
          apiVersion: 'k8s.ovn.org/v1',
          kind: 'UserDefinedNetwork',
          metadata: { namespace: 'demo', name: 'red', uid: 'u-2' },
          spec: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.1.0.0/16' }] } },
          status: { attachedPods: 3 },
        },
      ],
    });
    const planned = preview(provided, [], settings);
    const finalizer = 'finalizer k8s.ovn.org/user-defined-network-protection';
    expect(objectChanges(planned, provided).map(({ mark, object, what }) => `${mark} ${object} ${what}`)).to.deep.equal(
      [
        `+ Uplink/blue finalizer ${protection}`,
        '+ ConfigMap/ovn-uplinks/ovn-uplinks-ids claims of ids',
        `+ ClusterUserDefinedNetwork/blue ${finalizer}`,
        `+ UserDefinedNetwork/demo/red ${finalizer}`,
        '~ UserDefinedNetwork/demo/red attachedPods',
      ],
    );
  });

  it('are none, though there is something to do, if an operation is left', () => {
    const present = written();
    const planned: Preview = {
      ...plan(present),
      operations: new Map([
        [
          'a',
          [
            {
              operation: {
                verb: 'remove',
                networks: [],
                entity: { kind: 'membership', device: 'x', vrf: 'y', table: 1012, network: 'cluster_udn_blue' },
              },
              command: { program: 'ip', arguments: [] },
            },
          ],
        ],
      ]),
    };
    expect(objectChanges(planned, present)).to.deep.equal([]);
    expect(isAnythingToDo(planned, present)).to.be.true;
  });
});
