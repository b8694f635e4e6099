import { expect } from 'chai';
import {
  type FoundLoadBalancer,
  type LoadBalancerChange,
  loadBalancerChanges,
} from '../../../../src/domain/services/load-balancer-changes.ts';
import type { LoadBalancer } from '../../../../src/domain/services/load-balancers.ts';
import { loadBalancer } from '../../../contract/load-balancers.ts';

const web = loadBalancer('web');
const switchName = 'cluster_udn_blue_worker-a';
const stored = (brief: Partial<FoundLoadBalancer> = {}): FoundLoadBalancer => ({
  ...web,
  uuid: '1',
  switches: [switchName],
  ended: [],
  ...brief,
});

const changes = (desired: readonly LoadBalancer[] | undefined, found: readonly FoundLoadBalancer[]) =>
  loadBalancerChanges(desired, found, (network) => (network === 'cluster_udn_blue' ? switchName : undefined));

const replaced = (
  brief: Partial<Extract<LoadBalancerChange, { readonly verb: 'replace' }>> = {},
): LoadBalancerChange => ({
  verb: 'replace',
  desired: web,
  uuid: '1',
  otherSwitches: [],
  ended: [],
  ...brief,
});

const ofGreen = loadBalancer('web', {
  name: 'cluster_udn_green_Service_demo/web_TCP_switch',
  networkName: 'cluster_udn_green',
});

describe('changes of load balancers', () => {
  for (const { where, desired, found, expected } of [
    { where: 'nothing is there', desired: [web], found: [], expected: [{ verb: 'add', desired: web, switchName }] },
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
      found: [stored({ switches: [] })],
      expected: [replaced({ switchName })],
    },
    {
      where: 'it is on the switch of another network too',
      desired: [web],
      found: [stored({ switches: [switchName, 'cluster_udn_red_worker-a'] })],
      expected: [replaced({ otherSwitches: ['cluster_udn_red_worker-a'] })],
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
    { where: 'they stay as they are', desired: undefined, found: [stored({ vips: {} })], expected: [] },
    {
      where: 'they stay as they are, and the switch of the network lacks one',
      desired: undefined,
      found: [stored({ switches: [] })],
      expected: [replaced({ desired: stored({ switches: [] }), switchName })],
    },
    {
      where: 'they stay as they are, and a name is there twice: the first one stays, whatever their order',
      desired: undefined,
      found: [stored({ uuid: '2', vips: {} }), stored()],
      expected: [{ verb: 'remove', uuid: '2' }],
    },
    {
      where: 'they stay as they are, and the network is not on this node any more',
      desired: undefined,
      found: [stored({ ...ofGreen, switches: [] })],
      expected: [{ verb: 'remove', uuid: '1' }],
    },
  ] satisfies readonly {
    where: string;
    desired: readonly LoadBalancer[] | undefined;
    found: readonly FoundLoadBalancer[];
    expected: readonly LoadBalancerChange[];
  }[])
    it(`are ${expected.map(({ verb }) => verb).join() || 'none'} where ${where}`, () => {
      expect(changes(desired, found)).to.deep.equal(expected);
    });
});
