import { expect } from 'chai';
import type { Service } from '../../../../src/domain/api/service.ts';
import { ServicesOnNode, type ServiceSurroundings } from '../../../../src/domain/services/services-on-node.ts';
import { serviceOf, surroundings, usual, web } from './served-scene.ts';

const known = surroundings();

/** Each namespace in a network of its own. */
const separate: ServiceSurroundings = {
  ...known,
  networkOf: (namespace) => {
    const found = known.networkOf(namespace);
    if (found.kind !== 'ours' || namespace === 'blue') return found;
    return { ...found, network: { ...found.network, key: `ClusterUserDefinedNetwork/${namespace}` } };
  },
};

const at = (name: string, ...clusterIPs: readonly string[]): Service => {
  const { spec, ...rest } = serviceOf(name, '');
  return { ...rest, spec: { ...spec, clusterIPs } };
};

const other = at('other', '10.96.0.10');

const inRed = ({ metadata, ...service }: Service): Service => ({
  ...service,
  metadata: { ...metadata, namespace: 'red' },
});

describe('an address that several Services have', () => {
  /** The addresses of load balancers on a node once it has seen some lists of Services, and the Services that are judged with the last one. */
  function seen(lists: readonly (readonly Service[])[], around = known) {
    const services = new ServicesOnNode();
    const judged = lists.map((list) => services.take({ ...usual, services: list }, around));
    const keys = [...services.keys].sort();
    const addresses = keys.flatMap((key) =>
      services
        .desired(key)
        .loadBalancers.balancers.flatMap(({ vips }) => Object.keys(vips).map((vip) => `${key} ${vip}`)),
    );
    return { addresses, judged: [...(judged.at(-1) ?? [])].sort() };
  }

  for (const { what, list, around = known, expected } of [
    { what: 'is none’s, in one network', list: [web, other], expected: [] },
    { what: 'is none’s, whatever their order', list: [other, web], expected: [] },
    {
      what: 'is none’s of three',
      list: [web, at('third', '10.96.0.10'), inRed(web)],
      expected: [],
    },
    {
      what: 'is each one’s, in networks of their own',
      list: [web, inRed(web)],
      around: separate,
      expected: ['blue/web 10.96.0.10:80', 'red/web 10.96.0.10:80'],
    },
    {
      what: 'takes no other one from them',
      list: [at('dual', '10.96.0.10', 'fd96::a'), web],
      expected: ['blue/dual [fd96::a]:80'],
    },
    {
      what: 'is not replaced by another one of the family',
      list: [at('twice', '10.96.0.10', '10.96.0.20'), web],
      expected: [],
    },
    {
      what: 'is the one’s which is served there, as the other has another one first',
      list: [at('twice', '10.96.0.20', '10.96.0.10'), web],
      expected: ['blue/twice 10.96.0.20:80', 'blue/web 10.96.0.10:80'],
    },
    {
      what: 'is the same in another form',
      list: [at('lower', 'fd96::a'), at('upper', 'FD96:0::A')],
      expected: [],
    },
    {
      what: 'is the one’s that ovn-uplinks serves',
      list: [{ ...other, spec: { ...other.spec, type: 'ExternalName' } }, web],
      expected: ['blue/web 10.96.0.10:80'],
    },
  ])
    it(what, () => {
      expect(seen([list], around).addresses).to.deep.equal(expected);
    });

  for (const { what, lists, judged, addresses } of [
    { what: 'comes', lists: [[web], [web, other]], judged: ['blue/other', 'blue/web'], addresses: [] },
    {
      what: 'goes',
      lists: [[web, other], [web]],
      judged: ['blue/other', 'blue/web'],
      addresses: ['blue/web 10.96.0.10:80'],
    },
    {
      what: 'gets another one',
      lists: [
        [web, other],
        [web, at('other', '10.96.0.20')],
      ],
      judged: ['blue/other', 'blue/web'],
      addresses: ['blue/other 10.96.0.20:80', 'blue/web 10.96.0.10:80'],
    },
    {
      what: 'changes and keeps it',
      lists: [
        [web, other],
        [web, { ...other, spec: { ...other.spec, internalTrafficPolicy: 'Local' } }],
      ],
      judged: ['blue/other'],
      addresses: [],
    },
  ])
    it(`is judged again where a Service that has it too ${what}`, () => {
      expect(seen(lists)).to.deep.equal({ judged, addresses });
    });
});
