import { expect } from 'chai';
import {
  type DesiredLoadBalancers,
  type FoundLoadBalancer,
  type LoadBalancerChange,
  loadBalancerChanges,
} from '../../../../src/domain/services/load-balancer-changes.ts';
import type { LoadBalancer } from '../../../../src/domain/services/load-balancers.ts';
import { loadBalancer } from '../../../contract/load-balancers.ts';

const web = loadBalancer('web');
const parentName = 'cluster_udn_blue_worker-a';
const onSwitch = (name: string) => ({ place: 'switch', name }) as const;
const stored = (brief: Partial<FoundLoadBalancer> = {}): FoundLoadBalancer => ({
  ...web,
  uuid: '1',
  parents: [onSwitch(parentName)],
  ended: [],
  ...brief,
});

const routerName = 'GR_cluster_udn_blue_worker-a';
const ofRouter = loadBalancer('web', { name: 'cluster_udn_blue_Service_demo/web_TCP_router', place: 'router' });
const onRouter = { ...ofRouter, uuid: '3', parents: [{ place: 'router', name: routerName }], ended: [] } as const;

const changes = (desired: readonly LoadBalancer[] | DesiredLoadBalancers, found: readonly FoundLoadBalancer[]) =>
  loadBalancerChanges(
    'balancers' in desired ? desired : { balancers: desired, undecided: [] },
    found,
    (network, place) => {
      if (network !== 'cluster_udn_blue') return undefined;
      return place === 'switch' ? parentName : routerName;
    },
  );

const asTheyAre: DesiredLoadBalancers = { balancers: [], undecided: ['switch', 'router'] };

const replaced = (
  brief: Partial<Extract<LoadBalancerChange, { readonly verb: 'replace' }>> = {},
): LoadBalancerChange => ({
  verb: 'replace',
  desired: web,
  uuid: '1',
  otherParents: [],
  ended: [],
  ...brief,
});

const ofGreen = loadBalancer('web', {
  name: 'cluster_udn_green_Service_demo/web_TCP_switch',
  networkName: 'cluster_udn_green',
});

describe('changes of load balancers', () => {
  for (const { where, desired, found, expected } of [
    { where: 'nothing is there', desired: [web], found: [], expected: [{ verb: 'add', desired: web, parentName }] },
    { where: 'it is as desired', desired: [web], found: [stored()], expected: [] },
    {
      where: 'it is as desired, in another order of keys',
      desired: [web],
      found: [stored({ vips: Object.fromEntries(Object.entries(web.vips).reverse()) })],
      expected: [],
    },
    { where: 'it has another endpoint', desired: [web], found: [stored({ vips: {} })], expected: [replaced()] },
    {
      where: 'it has an option too many',
      desired: [web],
      found: [stored({ options: { ...web.options, skip_snat: 'true' } })],
      expected: [replaced()],
    },
    {
      where: 'its protocol is another one',
      desired: [web],
      found: [stored({ protocol: 'sctp' })],
      expected: [replaced()],
    },
    {
      where: 'it is signed for another Service',
      desired: [web],
      found: [stored({ owner: 'a/b' })],
      expected: [replaced()],
    },
    {
      where: 'it is on no switch',
      desired: [web],
      found: [stored({ parents: [] })],
      expected: [replaced({ parentName })],
    },
    {
      where: 'it is on the switch of another network too',
      desired: [web],
      found: [stored({ parents: [onSwitch(parentName), onSwitch('cluster_udn_red_worker-a')] })],
      expected: [replaced({ otherParents: [onSwitch('cluster_udn_red_worker-a')] })],
    },
    { where: 'it is not desired', desired: [], found: [stored()], expected: [{ verb: 'remove', uuid: '1' }] },
    {
      where: 'its name is there twice: the first one stays, whatever their order',
      desired: [web],
      found: [stored({ uuid: '2' }), stored()],
      expected: [{ verb: 'remove', uuid: '2' }],
    },
    {
      where: 'the Service is in another network than before, which is not on this node',
      desired: [ofGreen],
      found: [stored()],
      expected: [{ verb: 'remove', uuid: '1' }],
    },
    { where: 'they stay as they are', desired: asTheyAre, found: [stored({ vips: {} })], expected: [] },
    {
      where: 'they stay as they are, and the switch of the network lacks one',
      desired: asTheyAre,
      found: [stored({ parents: [] })],
      expected: [replaced({ desired: stored({ parents: [] }), parentName })],
    },
    {
      where: 'they stay as they are, and a name is there twice: the first one stays, whatever their order',
      desired: asTheyAre,
      found: [stored({ uuid: '2', vips: {} }), stored()],
      expected: [{ verb: 'remove', uuid: '2' }],
    },
    {
      where: 'they stay as they are, and the network is not on this node any more',
      desired: asTheyAre,
      found: [stored({ ...ofGreen, parents: [] })],
      expected: [{ verb: 'remove', uuid: '1' }],
    },
    {
      where: 'it is on the gateway router too',
      desired: [web, ofRouter],
      found: [stored()],
      expected: [{ verb: 'add', desired: ofRouter, parentName: routerName }],
    },
    {
      where: 'it goes from the router alone',
      desired: [web],
      found: [stored(), onRouter],
      expected: [{ verb: 'remove', uuid: '3' }],
    },
    {
      where: 'it is not known whether it is on the router',
      desired: { balancers: [web], undecided: ['router'] },
      found: [stored(), onRouter],
      expected: [],
    },
  ] satisfies readonly {
    where: string;
    desired: readonly LoadBalancer[] | DesiredLoadBalancers;
    found: readonly FoundLoadBalancer[];
    expected: readonly LoadBalancerChange[];
  }[])
    it(`are ${expected.map(({ verb }) => verb).join() || 'none'} where ${where}`, () => {
      expect(changes(desired, found)).to.deep.equal(expected);
    });
});
