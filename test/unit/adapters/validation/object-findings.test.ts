import { expect } from 'chai';
import { checkObject, checkWholeObject } from '../../../../src/adapters/validation/check-object.ts';
import { network, uplink, uplinkState } from '../manifests/example-objects.ts';

/** An Uplink with a spec. */
function uplinkWith(spec: unknown) {
  return { ...uplink('blue'), spec };
}

const item = { type: 'OVSBridge', nodeSelector: {}, hostInterfaceName: 'br-blue' };

describe('the findings about an object', () => {
  it('are empty if the API server would store it unchanged', () => {
    expect(checkObject('uplinks', uplink('blue'))).to.deep.equal([]);
    expect(checkObject('uplinkStates', uplinkState('blue'))).to.deep.equal([]);
    expect(checkObject('clusterUserDefinedNetworks', network('blue'))).to.deep.equal([]);
  });

  describe('include an error if it does not conform to its kind:', () => {
    for (const { object, path, message } of [
      { object: uplinkWith(undefined), path: 'spec', message: 'expected an object, found nothing' },
      { object: uplinkWith({}), path: 'spec.nodeConfigs', message: 'expected a value, found nothing' },
      {
        object: uplinkWith({ nodeConfigs: [] }),
        path: 'spec.nodeConfigs',
        message: 'expected at least 1 item, found a list of 0 items',
      },
      {
        object: uplinkWith({ nodeConfigs: [{ ...item, hostInterfaceName: 5 }] }),
        path: 'spec.nodeConfigs[0].hostInterfaceName',
        message: 'expected a string, found number 5',
      },
      {
        object: uplinkWith({ nodeConfigs: [{ ...item, hostInterfaceName: 'a name/of more than 15 bytes' }] }),
        path: 'spec.nodeConfigs[0].hostInterfaceName',
        message: 'expected 1 to 15 bytes without "/", ":" or white space, found string "a name/of more than 15 bytes"',
      },
      {
        object: uplinkWith({ nodeConfigs: [{ ...item, nodeSelector: { matchLabels: { rack: true } } }] }),
        path: 'spec.nodeConfigs[0].nodeSelector.matchLabels.rack',
        message: 'expected a string, found boolean true',
      },
    ]) {
      it(`${path}: ${message}`, () => {
        expect(checkObject('uplinks', object)).to.deep.equal([{ path, message, severity: 'error' }]);
      });
    }
  });

  it('include a warning for an enum value that is unknown to this version', () => {
    expect(checkObject('uplinks', uplink('blue', { type: 'SRIOV' }))).to.deep.equal([
      {
        path: 'spec.nodeConfigs[0].type',
        message: 'expected one of OVSBridge, found string "SRIOV"',
        severity: 'warning',
      },
    ]);
  });

  it('include another version, if this project defines the kind', () => {
    const message = 'expected k8s.ovn.org/v1alpha1, found string "k8s.ovn.org/v1"';
    expect(checkObject('uplinks', { ...uplink('blue'), apiVersion: 'k8s.ovn.org/v1' })).to.deep.equal([
      { path: 'apiVersion', message, severity: 'error' },
    ]);
  });

  it('include metadata that are not an object', () => {
    expect(checkObject('uplinks', { ...uplink('blue'), metadata: 5 })).to.deep.equal([
      { path: 'metadata', message: 'expected an object, found number 5', severity: 'error' },
    ]);
  });

  it('include an invalid name, among others', () => {
    expect(
      checkObject('uplinks', { ...uplinkWith({}), metadata: { name: 'Blue' } }).map(({ path }) => path),
    ).to.deep.equal(['spec.nodeConfigs', 'metadata.name']);
  });

  it('are complete', () => {
    const object = uplinkWith({
      nodeConfigs: [
        { ...item, nodeSelector: 5 },
        { ...item, hostInterfaceName: '..', colour: 'blue' },
      ],
      nodes: [],
    });
    expect(checkObject('uplinks', object).map(({ path }) => path)).to.deep.equal([
      'spec.nodeConfigs[0].nodeSelector',
      'spec.nodes',
      'spec.nodeConfigs[1].colour',
      'spec.nodeConfigs[1].hostInterfaceName',
    ]);
  });

  describe('include an unknown field, if this project defines the kind,', () => {
    for (const { name, object, path, message } of [
      {
        name: 'of the spec, with the nearest name',
        object: uplinkWith({ nodeConfigs: [item], nodeconfig: [] }),
        path: 'spec.nodeconfig',
        message: 'unknown field, which the API server drops; did you mean nodeConfigs?',
      },
      {
        name: 'of an item',
        object: uplinkWith({ nodeConfigs: [{ ...item, 'example.org/~1': 'x' }] }),
        path: 'spec.nodeConfigs[0]["example.org/~1"]',
        message: 'unknown field, which the API server drops',
      },
      {
        name: 'at the top level',
        object: { ...uplink('blue'), stauts: {} },
        path: 'stauts',
        message: 'unknown field, which the API server drops; did you mean status?',
      },
    ]) {
      it(name, () => {
        expect(checkObject('uplinks', object)).to.deep.equal([{ path, message, severity: 'warning' }]);
      });
    }

    it('of a status', () => {
      expect(
        checkObject('uplinkStates', uplinkState('blue', { ovsBridge: { name: 'br', port: 'eth1' } })),
      ).to.deep.equal([
        { path: 'status.ovsBridge.port', message: 'unknown field, which the API server drops', severity: 'warning' },
      ]);
    });

    it('of a selector, which would match more nodes without it', () => {
      const object = uplinkWith({ nodeConfigs: [{ ...item, nodeSelector: { matchLabel: {} } }] });
      expect(checkObject('uplinks', object)).to.deep.equal([
        {
          path: 'spec.nodeConfigs[0].nodeSelector.matchLabel',
          message: 'unknown field, which the API server drops; did you mean matchLabels?',
          severity: 'warning',
        },
      ]);
    });

    it('but not in the metadata, or if the schema keeps unknown fields', () => {
      const object = uplinkWith({ nodeConfigs: [item] });
      expect(checkObject('uplinks', { ...object, metadata: { name: 'blue', managedFields: [] } })).to.deep.equal([]);
      expect(checkObject('clusterUserDefinedNetworks', network('blue', { colour: 'blue' }))).to.deep.equal([]);
    });
  });

  describe('include a duplicate key in a list whose items are identified by keys:', () => {
    const ready = { type: 'Ready', status: 'True', reason: 'Ready' };
    const entry = { name: 'blue', ready: 'True', reason: 'Ready' };

    it('the type of two conditions', () => {
      expect(
        checkObject(
          'uplinkStates',
          uplinkState('blue', { conditions: [ready, { ...ready, type: 'HostReady' }, ready] }),
        ),
      ).to.deep.equal([
        {
          path: 'status.conditions[2]',
          message: 'has the same type "Ready" as status.conditions[0]',
          severity: 'error',
        },
      ]);
    });

    it('the name of three networks', () => {
      expect(checkObject('uplinkStates', uplinkState('blue', { networks: [entry, entry, entry] }))).to.deep.equal([
        { path: 'status.networks[1]', message: 'has the same name "blue" as status.networks[0]', severity: 'error' },
        { path: 'status.networks[2]', message: 'has the same name "blue" as status.networks[0]', severity: 'error' },
      ]);
    });
  });

  it('include a violated rule even if there is an unknown enum value', () => {
    const state = uplinkState('blue', { type: 'SRIOV', macAddress: undefined });
    expect(checkObject('uplinkStates', state).map(({ path }) => path)).to.deep.equal(['status.type', 'status']);
  });

  it('include no violated rule on a value if a part of it violates its schema', () => {
    const layer3 = { role: 5, subnets: [{}] };
    expect(
      checkObject('clusterUserDefinedNetworks', network('blue', { network: { topology: 'Layer3', layer3 } })),
    ).to.deep.equal([
      { path: 'spec.network.layer3.role', message: 'expected a string, found number 5', severity: 'error' },
      { path: 'spec.network.layer3.subnets[0].cidr', message: 'expected a value, found nothing', severity: 'error' },
    ]);
  });

  it('include violated rules, except on values that violate their schema', () => {
    const nodeConfigs = [
      { ...item, hostInterfaceName: 'é'.repeat(16) },
      { ...item, hostInterfaceName: '..', nodeSelector: 5 },
      { ...item, hostInterfaceName: '..' },
    ];
    expect(checkObject('uplinks', uplinkWith({ nodeConfigs }))).to.deep.equal([
      {
        path: 'spec.nodeConfigs[0].hostInterfaceName',
        message: `expected 1 to 15 bytes without "/", ":" or white space, found string "${'é'.repeat(16)}"`,
        severity: 'error',
      },
      { path: 'spec.nodeConfigs[1].nodeSelector', message: 'expected an object, found number 5', severity: 'error' },
      { path: 'spec.nodeConfigs[1].hostInterfaceName', message: "must not be '.' or '..'", severity: 'warning' },
      { path: 'spec.nodeConfigs[2].hostInterfaceName', message: "must not be '.' or '..'", severity: 'warning' },
    ]);
  });

  it('are about a whole network if it is checked by its definition, and about the fields that are read elsewhere', () => {
    const blue = network('blue', {
      network: {
        topology: 'Layer3',
        layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16', hostSubnet: 8 }, { cidr: '10.30.0.0' }] },
        colour: 'blue',
      },
    });
    const subnets = 'spec.network.layer3.subnets';
    expect(checkObject('clusterUserDefinedNetworks', blue)).to.deep.equal([]);
    expect(checkWholeObject('clusterUserDefinedNetworks', blue)).to.deep.equal([
      {
        path: 'spec.network.colour',
        message: 'unknown field, which the API server drops',
        severity: 'warning',
      },
      { path: `${subnets}[0]`, message: 'hostSubnet must be longer than the prefix of cidr', severity: 'warning' },
      { path: `${subnets}[1].cidr`, message: 'must be a subnet such as 10.20.0.0/16', severity: 'warning' },
    ]);
  });

  describe('about subnets of a network', () => {
    const pathsOf = (subnet: string) => {
      const layer3 = { role: 'Primary', subnets: [{ cidr: subnet }], joinSubnets: [subnet] };
      const layer2 = { role: 'Primary', subnets: [subnet] };
      const wholes = [network('blue', { network: { topology: 'Layer3', layer3 } })];
      wholes.push(network('blue', { network: { topology: 'Layer2', layer2 } }));
      const ofTenant = { apiVersion: 'k8s.ovn.org/v1', kind: 'UserDefinedNetwork', metadata: { name: 'red' } };
      return [
        ...wholes.flatMap((whole) => checkWholeObject('clusterUserDefinedNetworks', whole)),
        ...checkWholeObject('userDefinedNetworks', { ...ofTenant, spec: { topology: 'Layer2', layer2 } }),
      ].map(({ path }) => path);
    };
    const everywhere = [
      'spec.network.layer3.subnets[0].cidr',
      'spec.network.layer3.joinSubnets[0]',
      'spec.network.layer2.subnets[0]',
      'spec.layer2.subnets[0]',
    ];

    const impossible = [
      ...['0.0.0.0/16', '0.0.0.0/0', '127.0.0.0/16', '126.0.0.0/7', '127.1.2.3/16', '169.254.0.0/17', '169.0.0.0/8'],
      ...['224.0.0.0/16', '239.255.0.0/16', '128.0.0.0/1', '::/0', '::/48', '::1/128', '::ffff:10.0.0.0/112'],
      ...['::/79', '::fffe:0:0/95', 'fe80::/48', 'febf::/64', 'fe00::/8', 'ff00::/48', 'ff02::/64'],
    ];
    for (const subnet of impossible) {
      it(`are reported for ${subnet}`, () => {
        expect(pathsOf(subnet)).to.have.members(everywhere);
      });
    }

    const possible = [
      ...['1.0.0.0/8', '10.20.0.0/16', '10.20.3.4/16', '100.65.0.0/16', '126.0.0.0/8', '128.0.0.0/8', '169.253.0.0/16'],
      ...['192.0.0.0/8', '223.0.0.0/8', '240.0.0.0/8', '64:ff9b::/96', '::1:0:0:0/96', '2001:db8::/32', 'fd20::/48'],
      ...['fc00::/7', 'fec0::/48'],
    ];
    for (const subnet of possible) {
      it(`are not reported for ${subnet}`, () => {
        expect(pathsOf(subnet)).to.deep.equal([]);
      });
    }
  });
});
