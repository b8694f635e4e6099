/** Requirements that an implementation of LoadBalancers has to meet. */
import { expect } from 'chai';
import type { LoadBalancerChange } from '../../src/domain/services/load-balancer-changes.ts';
import type { LoadBalancer } from '../../src/domain/services/load-balancers.ts';
import type { LoadBalancers } from '../../src/ports/node/load-balancers.ts';
import type { NetworkSwitch } from '../../src/ports/node/logical-ports.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { problemLines, valueOf } from '../unit/adapters/readings.ts';

/** Load balancers of a database with `nodeSwitches` and `gatewayRouter` alone. */
export interface LoadBalancersUnderTest {
  readonly loadBalancers: LoadBalancers;
  /** Makes the database unreachable. */
  fail(): void | Promise<void>;
  end(): void | Promise<void>;
}

const switchOf = (network: string): NetworkSwitch => ({
  name: `cluster_udn_${network}_worker-a`,
  networkName: `cluster_udn_${network}`,
});

const [blue, red] = [switchOf('blue'), switchOf('red')];

const onSwitch = ({ name }: NetworkSwitch) => ({ place: 'switch', name }) as const;

/** The switches of two networks. */
export const nodeSwitches = [blue, red] as const;

/** The gateway router of one of them. */
export const gatewayRouter = { name: 'GR_cluster_udn_blue_worker-a', networkName: 'cluster_udn_blue' } as const;

/** A load balancer of a Service of network blue. */
export const loadBalancer = (name: string, brief: Partial<LoadBalancer> = {}): LoadBalancer => ({
  name: `cluster_udn_blue_Service_demo/${name}_TCP_switch`,
  networkName: 'cluster_udn_blue',
  place: 'switch',
  owner: `demo/${name}`,
  protocol: 'tcp',
  vips: { '10.96.0.10:80': '10.20.1.3:8080,10.20.2.3:8080', '[fd10::a]:80': '' },
  options: { reject: 'true', hairpin_snat_ip: '169.254.0.5 fd69::5' },
  ...brief,
});

const web = loadBalancer('web');

/** Tests an implementation of LoadBalancers. */
export function describeLoadBalancers(
  name: string,
  start: () => LoadBalancersUnderTest | Promise<LoadBalancersUnderTest>,
): void {
  describe(`LoadBalancers: ${name}`, () => {
    let fixture: LoadBalancersUnderTest;
    beforeEach(async () => {
      fixture = await start();
    });
    afterEach(async () => {
      await fixture.end();
    });

    const found = async () =>
      valueOf(await fixture.loadBalancers.read()).loadBalancers.map(({ uuid: _, ...others }) => others);

    /** Makes changes, which have to succeed. @returns the uuid of the first load balancer */
    async function make(...changes: readonly LoadBalancerChange[]): Promise<string> {
      const result = await fixture.loadBalancers.apply(changes);
      expect(result.done).to.equal(true);
      return valueOf(await fixture.loadBalancers.read()).loadBalancers[0]?.uuid ?? '';
    }

    it('are none at first, beside the switches and gateway routers of networks', async () => {
      const { switches, routers, loadBalancers } = valueOf(await fixture.loadBalancers.read());
      expect(switches).to.have.deep.members([...nodeSwitches]);
      expect(routers).to.deep.equal([gatewayRouter]);
      expect(loadBalancers).to.deep.equal([]);
    });

    it('are created with a switch, and read as they were', async () => {
      await make({ verb: 'add', desired: web, parentName: blue.name });
      expect(await found()).to.deep.equal([{ ...web, parents: [onSwitch(blue)], ended: [] }]);
    });

    it('are created with a router, and taken from it', async () => {
      const { name } = gatewayRouter;
      const desired = loadBalancer('web', { place: 'router' });
      const parents = [{ place: 'router', name }] as const;
      const uuid = await make({ verb: 'add', desired, parentName: name });
      expect(await found()).to.deep.equal([{ ...desired, parents, ended: [] }]);
      await make({ verb: 'replace', desired: web, uuid, parentName: blue.name, otherParents: parents, ended: [] });
      expect(await found()).to.deep.equal([{ ...web, parents: [onSwitch(blue)], ended: [] }]);
    });

    it('are created, changed and deleted in one transaction', async () => {
      const uuid = await make({ verb: 'add', desired: web, parentName: blue.name });
      const dns = loadBalancer('dns', { protocol: 'udp', vips: {} });
      await make({ verb: 'remove', uuid }, { verb: 'add', desired: dns, parentName: blue.name });
      expect(await found()).to.deep.equal([{ ...dns, parents: [onSwitch(blue)], ended: [] }]);
    });

    it('lose what they had in place of a change', async () => {
      const uuid = await make({ verb: 'add', desired: web, parentName: blue.name });
      const desired = { ...web, vips: { '10.96.0.11:80': '10.20.1.3:8080' }, options: { reject: 'true' } };
      await make({ verb: 'replace', desired, uuid, otherParents: [], ended: [] });
      expect(await found()).to.deep.equal([{ ...desired, parents: [onSwitch(blue)], ended: [] }]);
    });

    it('keep the connections that have to end, until these have ended', async () => {
      const uuid = await make({ verb: 'add', desired: web, parentName: blue.name });
      const ended = ['10.96.0.10:53>10.20.1.3:53', '[fd10::a]:53>[fd20::3]:53'];
      await make({ verb: 'replace', desired: web, uuid, otherParents: [], ended });
      expect(await found()).to.deep.equal([{ ...web, parents: [onSwitch(blue)], ended }]);
      await make({ verb: 'forget', uuid, ended: ended.slice(1) });
      expect(await found()).to.deep.equal([{ ...web, parents: [onSwitch(blue)], ended }]);
      await make({ verb: 'forget', uuid, ended });
      expect(await found()).to.deep.equal([{ ...web, parents: [onSwitch(blue)], ended: [] }]);
    });

    it('go from the switch of another network to their own', async () => {
      const uuid = await make({ verb: 'add', desired: web, parentName: red.name });
      await make({
        verb: 'replace',
        desired: web,
        uuid,
        parentName: blue.name,
        otherParents: [onSwitch(red)],
        ended: [],
      });
      expect(await found()).to.deep.equal([{ ...web, parents: [onSwitch(blue)], ended: [] }]);
    });

    it('are the same objects, in the same list, as long as they do not change', async () => {
      const uuid = await make({ verb: 'add', desired: web, parentName: blue.name });
      const before = valueOf(await fixture.loadBalancers.read()).loadBalancers;
      expect(valueOf(await fixture.loadBalancers.read()).loadBalancers).to.equal(before);
      await make({ verb: 'add', desired: loadBalancer('dns'), parentName: blue.name });
      const after = valueOf(await fixture.loadBalancers.read()).loadBalancers;
      expect(after.find((each) => each.uuid === uuid)).to.equal(before[0]);
    });

    it('are confirmed by the number of their change', async () => {
      const { loadBalancers } = fixture;
      const result = await loadBalancers.apply([{ verb: 'add', desired: web, parentName: blue.name }]);
      expect(result.number).to.be.a('number');
      expect(await loadBalancers.confirmed(result.number ?? 0)).to.deep.equal({ done: true });
    });

    it('are reported when they have changed', async () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      fixture.loadBalancers.onChange(() => resolve(undefined));
      await make({ verb: 'add', desired: web, parentName: blue.name });
      await promise;
    });

    it('can neither be read nor changed while the database is away', async () => {
      await fixture.loadBalancers.read();
      await fixture.fail();
      // A connection may close a moment after the process has ended.
      const problems = async () => problemLines(await fixture.loadBalancers.read());
      await eventually('it cannot be read', async () => (await problems()).length === 1);
      const result = await fixture.loadBalancers.apply([{ verb: 'add', desired: web, parentName: blue.name }]);
      expect(result).to.include({ done: false, isUnavailable: true });
    });
  });
}
