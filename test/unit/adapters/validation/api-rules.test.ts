import { expect } from 'chai';
import { checkObject } from '../../../../src/adapters/validation/check-object.ts';
import type { SchemaNode } from '../../../../src/adapters/validation/schema-node.ts';
import { schemaNodeOf } from '../../../../src/adapters/validation/schema-node.ts';
import { type KindKey, kinds } from '../../../../src/domain/api/kinds.ts';
import { network, uplink, uplinkState } from '../manifests/example-objects.ts';

type Fields = Readonly<Record<string, unknown>>;

interface RuleExample {
  readonly key: KindKey;
  readonly path: string;
  readonly message: string;
  /** Objects that satisfy the rule; of a transition rule, objects before and after. */
  readonly valid: Readonly<Record<string, Fields | readonly [before: Fields, after: Fields]>>;
  readonly invalid: Readonly<Record<string, Fields | readonly [before: Fields, after: Fields]>>;
}

const layer2 = { topology: 'Layer2', layer2: { role: 'Primary' } };
const ready = { type: 'Ready', status: 'True', reason: 'Ready' };

/** All CEL rules of the API. */
const examples: readonly RuleExample[] = [
  {
    key: 'uplinks',
    path: 'spec.nodeConfigs[0].hostInterfaceName',
    message: 'must be at most 15 bytes long',
    valid: {
      '15 letters': uplink('blue', { hostInterfaceName: 'x'.repeat(15) }),
      '7 letters of 2 bytes': uplink('blue', { hostInterfaceName: 'é'.repeat(7) }),
    },
    invalid: {
      '8 letters of 2 bytes': uplink('blue', { hostInterfaceName: 'é'.repeat(8) }),
      '4 letters of 4 bytes': uplink('blue', { hostInterfaceName: '😀'.repeat(4) }),
    },
  },
  {
    key: 'uplinks',
    path: 'spec.nodeConfigs[0].hostInterfaceName',
    message: "must not be '.' or '..'",
    valid: { 'three dots': uplink('blue', { hostInterfaceName: '...' }) },
    invalid: {
      dot: uplink('blue', { hostInterfaceName: '.' }),
      'two dots': uplink('blue', { hostInterfaceName: '..' }),
    },
  },
  {
    key: 'uplinkStates',
    path: 'status',
    message: 'ovsBridge, macAddress and ipAddresses are required where Ready is True',
    valid: {
      'ready with all three': uplinkState('blue'),
      'not ready without them': uplinkState('blue', {
        conditions: [{ ...ready, status: 'False' }],
        macAddress: undefined,
      }),
      'another condition with status True': uplinkState('blue', {
        conditions: [{ ...ready, type: 'HostReady' }],
        ipAddresses: [],
      }),
      'no condition': uplinkState('blue', { conditions: undefined, ovsBridge: undefined }),
    },
    invalid: {
      'ready without a bridge': uplinkState('blue', { ovsBridge: undefined }),
      'ready without a MAC address': uplinkState('blue', { macAddress: undefined }),
      'ready without addresses': uplinkState('blue', { ipAddresses: undefined }),
      'ready with an empty list of addresses': uplinkState('blue', { ipAddresses: [] }),
      'ready after another condition': uplinkState('blue', {
        conditions: [{ ...ready, type: 'A' }, ready],
        macAddress: undefined,
      }),
    },
  },
  {
    key: 'clusterUserDefinedNetworks',
    path: 'spec',
    message: 'uplinks is only for primary Layer2 and Layer3 networks',
    valid: {
      'a primary Layer3 network': network('blue'),
      'a primary Layer2 network': network('blue', { network: layer2 }),
      'another topology without uplinks': network('blue', { network: { topology: 'Localnet' }, uplinks: undefined }),
      'another topology with an empty list of uplinks': network('blue', {
        network: { topology: 'Localnet' },
        uplinks: [],
      }),
    },
    invalid: {
      'another topology': network('blue', { network: { topology: 'Localnet' } }),
      'a secondary Layer2 network': network('blue', { network: { ...layer2, layer2: { role: 'Secondary' } } }),
      'a secondary Layer3 network': network('blue', { network: { topology: 'Layer3', layer3: { role: 'Secondary' } } }),
      'a topology without its settings': network('blue', { network: { ...layer2, topology: 'Layer3' } }),
    },
  },
  {
    key: 'clusterUserDefinedNetworks',
    path: 'spec',
    message: 'uplinks is not for networks with EVPN transport',
    valid: {
      'another transport': network('blue', { network: { ...layer2, transport: 'NoOverlay' } }),
      'EVPN without uplinks': network('blue', { network: { ...layer2, transport: 'EVPN' }, uplinks: undefined }),
      'EVPN with an empty list of uplinks': network('blue', { network: { ...layer2, transport: 'EVPN' }, uplinks: [] }),
    },
    invalid: { EVPN: network('blue', { network: { ...layer2, transport: 'EVPN' } }) },
  },
  {
    key: 'clusterUserDefinedNetworks',
    path: 'spec',
    message: 'uplinks is immutable',
    valid: {
      'a new network': network('blue'),
      'the same uplink': [network('blue'), network('blue')],
      'an empty list of uplinks after none': [
        network('blue', { uplinks: undefined }),
        network('blue', { uplinks: [] }),
      ],
    },
    invalid: {
      'another uplink': [network('blue'), network('blue', { uplinks: ['red'] })],
      'no uplink after one': [network('blue'), network('blue', { uplinks: undefined })],
      'an uplink after none': [network('blue', { uplinks: [] }), network('blue')],
    },
  },
];

describe('the CEL rules of the API', () => {
  for (const { key, path, message, valid, invalid } of examples) {
    describe(`${kinds[key].kind}, ${path}: ${message}`, () => {
      for (const [name, objects] of Object.entries(valid)) {
        it(`accepts ${name}`, () => {
          expect(check(key, objects)).to.deep.equal([]);
        });
      }
      for (const [name, objects] of Object.entries(invalid)) {
        it(`rejects ${name}`, () => {
          expect(check(key, objects)).to.deep.equal([{ path, message, severity: 'warning' }]);
        });
      }
    });
  }

  it('are all tested here', () => {
    const known = Object.values(kinds).flatMap((kind) => messagesIn(schemaNodeOf(kind.schema)));
    expect(examples.map(({ message }) => message)).to.have.members(known);
  });
});

function check(key: KindKey, objects: Fields | readonly [before: Fields, after: Fields]) {
  const [before, after] = isTransition(objects) ? objects : [undefined, objects];
  return checkObject(key, after, before);
}

function isTransition(objects: Fields | readonly [Fields, Fields]): objects is readonly [Fields, Fields] {
  return Array.isArray(objects);
}

function messagesIn(node: SchemaNode): readonly string[] {
  const children = [...node.properties.values(), node.items, node.additionalProperties];
  return [
    ...node.rules.map(({ message }) => message),
    ...children.flatMap((child) => (child === undefined ? [] : messagesIn(child))),
  ];
}
