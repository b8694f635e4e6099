import { clusterNetwork } from '../../../../../src/domain/network/network.ts';
import { expect } from 'chai';
import { type ClusterSnapshot, type Pod, preview } from '../../../../../src/domain/index.ts';
import { parseNetworkId, viewCluster } from '../../../../../src/domain/plan/view/cluster-view.ts';
import { defaultSettings } from '../../../../../src/domain/snapshot/settings.ts';
import { completeNode } from '../../../../../src/testing/index.ts';
import {
  attachment,
  cluster,
  namespace,
  network,
  readNetwork,
  node,
  nodeConfig,
  pod,
  routeAdvertisements,
  unclearSelector,
  uplink,
  uplinkState,
} from '../../brief-objects.ts';

const view = (objects: Partial<ClusterSnapshot>, settings = {}) =>
  viewCluster(cluster(objects), { ...defaultSettings, ...settings });
const names = (items: readonly { readonly metadata: { readonly name: string } }[]) =>
  items.map(({ metadata }) => metadata.name);

describe('a network id', () => {
  const texts: readonly (readonly [text: string | undefined, id: number | undefined])[] = [
    ['1', 1],
    ['42', 42],
    ['9999999999', 9999999999],
    ['12345678901', undefined],
    ['0', undefined],
    ['01', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['0x1', undefined],
    [' 1', undefined],
    ['1\n', undefined],
    ['', undefined],
    [undefined, undefined],
  ];
  for (const [text, id] of texts) {
    it(`${text === undefined ? 'that is absent' : JSON.stringify(text)} is ${id ?? 'none'}`, () => {
      expect(parseNetworkId(text)).to.equal(id);
    });
  }
});

describe('a cluster by key', () => {
  it('lists nodes, networks and Uplinks by name', () => {
    const found = view({
      nodes: [node('b'), node('a')],
      clusterUserDefinedNetworks: [network('red'), network('blue')],
      uplinks: [uplink('u2', 'x'), uplink('u1', 'x')],
    });
    expect(names(found.nodes.all)).to.deep.equal(['a', 'b']);
    expect(names(found.networks)).to.deep.equal(['blue', 'red']);
    expect(found.uplinkNames).to.deep.equal(['u1', 'u2']);
  });

  it('finds the table of an Uplink', () => {
    const found = view({ uplinks: [uplink('u', 'br-a')] });
    expect(found.table('u')?.uplink.metadata.name).to.equal('u');
    expect(found.table('gone')).to.be.undefined;
  });

  it('finds the networks on an Uplink, each once, by name', () => {
    const found = view({
      clusterUserDefinedNetworks: [
        network('red', { uplinks: ['u'] }),
        network('blue', { uplinks: ['u', 'v', 'u'] }),
        network('plain', { uplinks: [] }),
      ],
    });
    expect(names(found.networksOn('u'))).to.deep.equal(['blue', 'red']);
    expect(names(found.networksOn('v'))).to.deep.equal(['blue']);
    expect(found.networksOn('gone')).to.deep.equal([]);
  });

  it('finds the advertisements of a network', () => {
    const blue = network('blue');
    const found = view({ clusterUserDefinedNetworks: [blue], routeAdvertisements: [routeAdvertisements('ra')] });
    expect(
      found
        .advertisements(clusterNetwork(blue, defaultSettings))
        .map(({ routeAdvertisements: { metadata } }) => metadata.name),
    ).to.deep.equal(['ra']);
    expect(found.advertisements(readNetwork('red'))).to.deep.equal([]);
  });
});

describe('tenants’ own networks on the Uplink of the setting', () => {
  const spec = { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } } as const;
  const own = (namespaceOf: string, name: string) =>
    ({
      apiVersion: 'k8s.ovn.org/v1',
      kind: 'UserDefinedNetwork',
      metadata: { namespace: namespaceOf, name },
      spec,
    }) as const;
  const objects = {
    clusterUserDefinedNetworks: [network('blue', { uplinks: ['u'] })],
    userDefinedNetworks: [own('team', 'blue')],
    routeAdvertisements: [routeAdvertisements('ra')],
    unreadable: [{ kind: 'userDefinedNetworks', namespace: 'app', name: 'own' } as const],
  };
  const byUplink = { providedNetworks: 'all', egress: 'uplink=u' };
  const keys = (found: ReturnType<typeof view>) => found.networks.map(({ key }) => key);

  it('are among the networks that have it, and among those that may have it', () => {
    const found = view(objects, byUplink);
    expect(keys(found)).to.deep.equal(['ClusterUserDefinedNetwork/blue', 'UserDefinedNetwork/team/blue']);
    expect(found.networksOn('u').map(({ key }) => key)).to.deep.equal(keys(found));
    expect(found.unreadableOnUplinks).to.deep.equal(['UserDefinedNetwork/app/own']);
  });

  it('are not where the setting names none', () => {
    const found = view(objects, { ...byUplink, egress: 'node' });
    expect(keys(found)).to.deep.equal(['ClusterUserDefinedNetwork/blue']);
    expect(found.unreadableOnUplinks).to.deep.equal([]);
  });

  it('are not advertised with a ClusterUserDefinedNetwork of the same name', () => {
    const found = view(objects, byUplink);
    const numbers = found.networks.map((each) => [each.key, found.advertisements(each).length]);
    expect(numbers).to.deep.equal([
      ['ClusterUserDefinedNetwork/blue', 1],
      ['UserDefinedNetwork/team/blue', 0],
    ]);
  });

  it('are the same list while they are the same', () => {
    const settings = { ...defaultSettings, providedNetworks: 'all', egress: 'uplink=u' } as const;
    const before = cluster(objects);
    const after = { ...before, userDefinedNetworks: [...before.userDefinedNetworks] };
    expect(viewCluster(after, settings).networks).to.equal(viewCluster(before, settings).networks);
  });
});

describe('the indexes of a cluster', () => {
  const settings = { ...defaultSettings, dynamicNetworks: true };
  const blue = network('blue', { uplinks: ['u'] });
  const before = cluster({
    nodes: [node('a'), node('b')],
    clusterUserDefinedNetworks: [blue],
    namespaces: [namespace('one', { tenant: 'blue' })],
    networkAttachmentDefinitions: [attachment('blue', '7', 'one')],
    routeAdvertisements: [routeAdvertisements('ra')],
    uplinks: [uplink('u', [nodeConfig('br-a')])],
    uplinkStates: [uplinkState('u', 'a')],
    pods: [pod('p', 'one', 'a')],
  });

  it('are used again, except those of a list that has changed', () => {
    const first = viewCluster(before, settings);
    expect(first.activeNodes(clusterNetwork(blue, defaultSettings))).to.deep.equal(['a']);
    const second = viewCluster({ ...before, pods: [pod('p', 'one', 'b')] }, settings);
    expect(second.activeNodes(clusterNetwork(blue, defaultSettings))).to.deep.equal(['b']);
    expect(second.nodes).to.equal(first.nodes);
    expect(second.networks).to.equal(first.networks);
    expect(second.table('u')).to.equal(first.table('u'));
    expect(second.namespaces(clusterNetwork(blue, defaultSettings))).to.equal(
      first.namespaces(clusterNetwork(blue, defaultSettings)),
    );
    expect(second.advertisements(clusterNetwork(blue, defaultSettings))).to.equal(
      first.advertisements(clusterNetwork(blue, defaultSettings)),
    );
    const third = viewCluster({ ...before, nodes: [node('a')] }, settings);
    expect(third.nodes).not.to.equal(first.nodes);
  });

  it('of lists that have not changed are not built again', () => {
    const read = new Set<string>();
    const watched = Object.fromEntries(
      Object.entries(before).map(([kind, list]) => [
        kind,
        new Proxy<object>(list, {
          get(target, key, receiver) {
            read.add(kind);
            return Reflect.get(target, key, receiver) as unknown;
          },
        }),
      ]),
    ) as unknown as ClusterSnapshot;
    /** The lists that are read to answer every question about a cluster. */
    function readFor(snapshot: ClusterSnapshot): readonly string[] {
      read.clear();
      const found = viewCluster(snapshot, settings);
      const answers = [
        ...[found.nodes, found.nodeAddresses, found.networks, found.uplinkNames],
        ...[found.table('u'), found.networksOn('u'), found.state('u', 'a')],
        ...[
          found.isStateNameTaken('u', 'a'),
          found.activeNodes(clusterNetwork(blue, defaultSettings)),
          found.isActive(clusterNetwork(blue, defaultSettings), 'a'),
        ],
        ...[
          found.namespaces(clusterNetwork(blue, defaultSettings)),
          found.networkId(clusterNetwork(blue, defaultSettings)),
          found.networkIdByName('cluster_udn_blue'),
        ],
        found.advertisements(clusterNetwork(blue, defaultSettings)),
      ];
      expect(answers).not.to.include(undefined);
      return [...read].sort();
    }
    const kinds = readFor(watched);
    expect(kinds).to.have.members(
      Object.keys(before).filter(
        (kind) => !['userDefinedNetworks', 'configMaps', 'services', 'endpointSlices'].includes(kind),
      ),
    );
    // RouteAdvertisements are matched with both.
    const matched: readonly string[] = ['clusterUserDefinedNetworks', 'frrConfigurations'];
    for (const kind of kinds) {
      const changed = [...before[kind as 'pods']];
      expect(readFor({ ...watched, [kind]: changed }), kind).to.deep.equal(
        matched.includes(kind) ? ['routeAdvertisements'] : [],
      );
    }
  });

  it('are built once for all nodes of a plan, and for the cluster with their states', () => {
    let passes = 0;
    const pods = new Proxy<readonly Pod[]>(before.pods, {
      get(target, key, receiver) {
        if (key === Symbol.iterator) passes += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    const nodes = ['a', 'b'].map((nodeName) => completeNode({ nodeName }));
    preview({ ...before, pods }, nodes, settings);
    expect(passes).to.equal(1);
  });
});

describe('the nodes on which a network is active', () => {
  const blue = network('blue');
  const objects: Partial<ClusterSnapshot> = {
    nodes: [node('b'), node('a'), node('c')],
    clusterUserDefinedNetworks: [blue],
    namespaces: [namespace('one', { tenant: 'blue' }), namespace('two', { tenant: 'blue' }), namespace('red')],
    pods: [
      pod('p', 'one', 'b'),
      pod('q', 'two', 'a'),
      pod('r', 'two', 'b'),
      pod('s', 'red', 'c'),
      pod('t', 'one', 'gone'),
    ],
  };

  it('are all', () => {
    const found = view(objects);
    expect(found.activeNodes(clusterNetwork(blue, defaultSettings))).to.deep.equal(['a', 'b', 'c']);
    expect(found.isActive(clusterNetwork(blue, defaultSettings), 'c')).to.be.true;
    expect(found.isActive(clusterNetwork(blue, defaultSettings), 'gone')).to.be.false;
  });

  describe('where networks are dynamic', () => {
    const dynamicNetworks = true;

    it('are those of the cluster that run one of its pods', () => {
      const found = view(objects, { dynamicNetworks });
      expect(found.activeNodes(clusterNetwork(blue, defaultSettings))).to.deep.equal(['a', 'b']);
      for (const [name, active] of Object.entries({ a: true, b: true, c: false, gone: false })) {
        expect(found.isActive(clusterNetwork(blue, defaultSettings), name), name).to.equal(active);
      }
    });

    it('are none without a namespace', () => {
      const found = view({ ...objects, namespaces: [] }, { dynamicNetworks });
      expect(found.activeNodes(clusterNetwork(blue, defaultSettings))).to.deep.equal([]);
      expect(found.isActive(clusterNetwork(blue, defaultSettings), 'a')).to.be.false;
    });

    it('are those of the namespaces that have it already, where its selector is not understood', () => {
      const unclear = network('blue', { namespaceSelector: unclearSelector });
      const nads = [attachment('blue', '7', 'red'), attachment('green', '8', 'one')];
      const found = view(
        { ...objects, clusterUserDefinedNetworks: [unclear], networkAttachmentDefinitions: nads },
        { dynamicNetworks },
      );
      expect(found.activeNodes(clusterNetwork(unclear, defaultSettings))).to.deep.equal(['c']);
      expect(view(objects, { dynamicNetworks }).activeNodes(clusterNetwork(unclear, defaultSettings))).to.deep.equal(
        [],
      );
    });
  });
});

describe('the id of a network', () => {
  const idOf = (...networkAttachmentDefinitions: readonly ReturnType<typeof attachment>[]) =>
    view({ networkAttachmentDefinitions }).networkId(readNetwork('blue'));

  it('is that of its NetworkAttachmentDefinitions', () => {
    expect(idOf(attachment('red', '1'), attachment('blue', '7', 'one'), attachment('blue', '7', 'two'))).to.equal(7);
  });

  it('is absent while there is none', () => {
    expect(idOf()).to.be.undefined;
    expect(idOf(attachment('blue', undefined))).to.be.undefined;
    expect(idOf(attachment('blue', 'x'))).to.be.undefined;
  });

  it('is that of the definitions that have one', () => {
    const [bare, broken, good] = [
      attachment('blue', undefined, 'a'),
      attachment('blue', 'x', 'b'),
      attachment('blue', '7', 'c'),
    ];
    expect(idOf(bare, broken, good)).to.equal(7);
    expect(idOf(good, broken, bare)).to.equal(7);
    expect(idOf(attachment('blue', '7', 'a'), attachment('blue', 'x', 'b'))).to.equal(7);
  });

  it('is the lowest where they differ, whatever their order', () => {
    const ids = ['9', '10', '8'].map((id, index) => attachment('blue', id, `n${index}`));
    expect(idOf(...ids)).to.equal(8);
    expect(idOf(...ids.reverse())).to.equal(8);
  });

  it('is unknown with a NetworkAttachmentDefinition without annotations', () => {
    const { annotations: _none, ...metadata } = attachment('blue', '7').metadata;
    expect(idOf({ ...attachment('blue', '7'), metadata })).to.be.undefined;
  });
});

describe('the state of an uplink on a node', () => {
  const own = uplinkState('u', 'a');
  const { status: _none, ...unwritten } = own;
  const taken = { ...uplinkState('v', 'b'), metadata: own.metadata };

  it('is the one of its name', () => {
    const found = view({ uplinkStates: [own, uplinkState('u', 'b')] });
    expect(found.state('u', 'a')).to.equal(own);
    expect(found.isStateNameTaken('u', 'a')).to.be.false;
    expect(found.state('v', 'a')).to.be.undefined;
    expect(found.isStateNameTaken('v', 'a')).to.be.false;
  });

  it('is one that does not say yet whose it is', () => {
    const found = view({ uplinkStates: [unwritten] });
    expect(found.state('u', 'a')).to.equal(unwritten);
    expect(found.isStateNameTaken('u', 'a')).to.be.false;
  });

  it('is never another object that has taken the name', () => {
    const found = view({ uplinkStates: [taken] });
    expect(found.state('u', 'a')).to.be.undefined;
    expect(found.isStateNameTaken('u', 'a')).to.be.true;
    expect(found.state('v', 'b')).to.be.undefined;
  });
});
