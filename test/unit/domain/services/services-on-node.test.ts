import { expect } from 'chai';
import { ServicesOnNode } from '../../../../src/domain/services/services-on-node.ts';
import {
  api,
  blueWay,
  inBlueWithoutId,
  mirror,
  mirrored,
  onWay,
  serviceOf,
  source,
  sourceOf,
  surroundings,
  usual,
  web,
} from './served-scene.ts';

const known = surroundings();

describe('the Services of networks on a node', () => {
  let services: ServicesOnNode;
  beforeEach(() => {
    services = new ServicesOnNode();
    services.take(usual, known);
  });

  /** The endpoints of a Service at its first address; `as it is` where it stays so. */
  const endpointsOf = (key: string) => {
    const { balancers, undecided } = services.desired(key).loadBalancers;
    return undecided.length > 0 ? 'as it is' : balancers.map(({ vips }) => Object.values(vips).join());
  };

  it('lead to the endpoints that their mirrors have', () => {
    expect(endpointsOf('blue/web')).to.deep.equal(['10.20.1.3:8080']);
    expect(endpointsOf('blue/api')).to.deep.equal(['']);
  });

  it('are none that are not there', () => {
    expect(endpointsOf('blue/other')).to.deep.equal([]);
  });

  const notReady = sourceOf('web', { ready: false });
  for (const { what, objects = usual, around = known, expected } of [
    { what: 'nothing changes', expected: [] },
    {
      what: 'the lists are other ones',
      objects: { ...usual, services: [web, api], slices: [mirror, source] },
      expected: [],
    },
    {
      what: 'a slice says that an endpoint is not ready',
      objects: { ...usual, slices: [notReady, mirror] },
      expected: ['blue/web'],
    },
    {
      what: 'a mirror comes',
      objects: { ...usual, slices: [source, mirror, mirrored(sourceOf('api'))] },
      expected: ['blue/api'],
    },
    {
      what: 'a Service changes',
      objects: { ...usual, services: [web, serviceOf('api', '10.96.0.12')] },
      expected: ['blue/api'],
    },
    { what: 'a Service goes', objects: { ...usual, services: [web] }, expected: ['blue/api'] },
    {
      what: 'the node goes to another zone',
      around: { ...known, node: { name: 'worker-a', zone: 'b' } },
      expected: ['blue/api', 'blue/web'],
    },
    { what: 'namespaces are looked at again, and are in the same network', around: surroundings(), expected: [] },
    {
      what: 'a namespace gets into another network',
      around: surroundings({ kind: 'none' }),
      expected: ['blue/api', 'blue/web'],
    },
    {
      what: 'a Service cannot be read',
      objects: { ...usual, services: [web], unreadable: { services: ['blue/api'], slices: [] } },
      expected: ['blue/api'],
    },
    {
      what: 'a slice cannot be read, which may be of any Service of its namespace',
      objects: { ...usual, slices: [], unreadable: { services: [], slices: ['blue/web-x1'] } },
      expected: ['blue/api', 'blue/web'],
    },
  ])
    it(`are judged again (${expected.join(', ') || 'none'}) where ${what}`, () => {
      expect([...services.take(objects, around)].sort()).to.deep.equal(expected);
    });

  for (const { where, objects = usual, around = known, expected } of [
    {
      where: 'the network is not known',
      around: surroundings({ kind: 'undecided', why: 'unreadable' as const }),
      expected: 'as it is',
    },
    { where: 'the network has no id', around: surroundings(inBlueWithoutId), expected: 'as it is' },
    { where: 'it is in no network', around: surroundings({ kind: 'none' }), expected: [] },
    { where: 'it is deleted', objects: { ...usual, services: [api] }, expected: [] },
    {
      where: 'it cannot be read, and never could',
      objects: { ...usual, services: [api], unreadable: { services: ['blue/web'], slices: [] } },
      expected: 'as it is',
    },
    {
      where: 'one of its slices cannot be read',
      objects: { ...usual, slices: [source], unreadable: { services: [], slices: ['blue/other'] } },
      expected: 'as it is',
    },
    {
      where: 'a slice in another namespace cannot be read',
      objects: { ...usual, unreadable: { services: [], slices: ['red/other'] } },
      expected: ['10.20.1.3:8080'],
    },
  ])
    it(`have ${typeof expected === 'string' ? 'what they have' : `load balancers (${expected.join() || 'none'})`} where ${where}`, () => {
      services.take(objects, around);
      expect(endpointsOf('blue/web')).to.deep.equal(expected);
    });

  it('are judged again once what could not be read is read', () => {
    services.take({ ...usual, unreadable: { services: [], slices: ['blue/other'] } }, known);
    services.take(usual, known);
    expect(endpointsOf('blue/web')).to.deep.equal(['10.20.1.3:8080']);
  });

  describe('that are reached from the wire', () => {
    const ported = (name: string, address: string, nodePort: number, creationTimestamp = '2026-01-01T00:00:00Z') => {
      const each = serviceOf(name, address);
      const ports = [{ name: 'http', port: 80, nodePort }];
      return {
        ...each,
        metadata: { ...each.metadata, creationTimestamp },
        spec: { ...each.spec, type: 'NodePort', ports },
      };
    };
    const exposed = { ...usual, services: [ported('web', '10.96.0.10', 30_080), api] };
    const onWire = onWay(blueWay);

    /** The ports of a Service on the wire. */
    const portsOf = (key: string) => {
      const { exposed: found } = services.desired(key);
      return typeof found === 'string' ? found : found.ports.map(({ address, port }) => `${address} ${String(port)}`);
    };
    const placesOf = (key: string) => services.desired(key).loadBalancers.balancers.map(({ place }) => place);

    it('have flows and load balancers on the gateway router where their network has a way there', () => {
      services.take(exposed, onWire);
      expect(portsOf('blue/web')).to.deep.equal(['192.0.2.6 30080']);
      expect(placesOf('blue/web')).to.deep.equal(['switch', 'router']);
      expect(portsOf('blue/api')).to.equal('none');
    });

    it('have none where it has no way, and keep what they have as long as that is not known', () => {
      services.take(exposed, onWay('none'));
      expect([portsOf('blue/web'), placesOf('blue/web')]).to.deep.equal(['none', ['switch']]);
      services.take(exposed, onWay('unknown'));
      expect([portsOf('blue/web'), placesOf('blue/web')]).to.deep.equal(['undecided', ['switch']]);
      expect(services.desired('blue/web').loadBalancers.undecided).to.deep.equal(['router']);
    });

    it('are judged again where the way is another one, and only these', () => {
      services.take(exposed, onWire);
      expect([...services.take(exposed, onWay(blueWay))]).to.deep.equal([]);
      const { uplink } = blueWay.scope;
      const moved = { ...blueWay, scope: { ...blueWay.scope, uplink: { ...uplink, addresses: { 4: '192.0.2.7' } } } };
      services.take(exposed, onWay(moved));
      expect(portsOf('blue/web')).to.deep.equal(['192.0.2.7 30080']);
    });

    it('have a port that is the oldest’s, whatever their order', () => {
      const younger = ported('api', '10.96.0.11', 30_080, '2026-01-02T00:00:00Z');
      for (const list of [
        [exposed.services[0]!, younger],
        [younger, exposed.services[0]!],
      ]) {
        services = new ServicesOnNode();
        services.take({ ...usual, services: list }, onWire);
        expect([portsOf('blue/web'), portsOf('blue/api')]).to.deep.equal([['192.0.2.6 30080'], 'none']);
      }
      expect([...services.take({ ...usual, services: [younger] }, onWire)].sort()).to.deep.equal([
        'blue/api',
        'blue/web',
      ]);
      expect(portsOf('blue/api')).to.deep.equal(['192.0.2.6 30080']);
    });
  });
});
