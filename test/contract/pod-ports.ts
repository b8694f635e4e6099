/** Requirements that an implementation of LogicalPorts and one of SwitchPorts have to meet. */
import { expect } from 'chai';
import type { LogicalPort, PodSwitchPort } from '../../src/domain/pods/leftovers.ts';
import type { LogicalPorts, LogicalPortsSnapshot, NetworkSwitch } from '../../src/ports/node/logical-ports.ts';
import type { SwitchPorts } from '../../src/ports/node/switch-ports.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { problemLines, valueOf } from '../unit/adapters/readings.ts';

/** Logical switch ports of a database with `nodeSwitch`. */
export interface LogicalPortsUnderTest {
  readonly logicalPorts: LogicalPorts;
  /** Makes the database unreachable. */
  fail(): void | Promise<void>;
  end(): void | Promise<void>;
}

/** The switch of a network on the node. */
export const nodeSwitch: NetworkSwitch = {
  name: 'cluster_udn_blue_worker-a',
  networkName: 'cluster_udn_blue',
  networkId: 7,
};

/** The port of a pod. */
export function logicalPort(name: string, uid: string, ...addresses: readonly string[]): LogicalPort {
  return {
    name: `demo.blue_demo_${name}`,
    switchName: nodeSwitch.name,
    networkName: nodeSwitch.networkName,
    definition: 'demo/blue',
    pod: { namespace: 'demo', name, uid },
    addresses,
    mac: '0a:58:0a:14:01:03',
  };
}

const web = logicalPort('web', '1', '10.20.1.3', 'fd20:0:0:1::3');

const switches = [nodeSwitch];

const releasedAt = (now: number, ...addresses: readonly string[]) =>
  addresses.map((address) => ({ networkName: 'cluster_udn_blue', address, releasedAt: now }));

/** Tests an implementation of LogicalPorts. */
export function describeLogicalPorts(
  name: string,
  start: () => LogicalPortsUnderTest | Promise<LogicalPortsUnderTest>,
): void {
  describe(`LogicalPorts: ${name}`, () => {
    let fixture: LogicalPortsUnderTest;
    beforeEach(async () => {
      fixture = await start();
    });
    afterEach(async () => {
      await fixture.end();
    });
    const snapshot = async (): Promise<LogicalPortsSnapshot> => valueOf(await fixture.logicalPorts.read());

    it('is empty at first', async () => {
      expect(await snapshot()).to.deep.equal({ switches, ports: [], released: [] });
    });

    it('has what was put, once', async () => {
      for (let time = 0; time < 2; time++) expect(await fixture.logicalPorts.put(web)).to.deep.equal({ done: true });
      expect(await snapshot()).to.deep.equal({ switches, ports: [web], released: [] });
    });

    it('has the same object for a port as long as it does not change', async () => {
      const other = logicalPort('other', '2', '10.20.1.4');
      await fixture.logicalPorts.put(web);
      const [before] = (await snapshot()).ports;
      await fixture.logicalPorts.put(other);
      const same = (await snapshot()).ports.find(({ name: each }) => each === web.name);
      expect(same === before).to.equal(true);
      await fixture.logicalPorts.put({ ...web, addresses: ['10.20.1.5'] });
      const changed = (await snapshot()).ports.find(({ name: each }) => each === web.name);
      expect(changed?.addresses).to.deep.equal(['10.20.1.5']);
    });

    it('has the pod that was put last under a name', async () => {
      const again = logicalPort('web', '2', '10.20.1.4', 'fd20:0:0:1::4');
      await fixture.logicalPorts.put(web);
      await fixture.logicalPorts.put(again);
      expect((await snapshot()).ports).to.deep.equal([again]);
    });

    it('reports changes', async () => {
      const changed = Promise.withResolvers<undefined>();
      fixture.logicalPorts.onChange(() => changed.resolve(undefined));
      await fixture.logicalPorts.put(web);
      await changed.promise;
    });

    it('refuses a port of a switch that is not there, or is that of another network', async () => {
      for (const elsewhere of [
        { ...web, switchName: 'cluster_udn_red_worker-a' },
        { ...web, networkName: 'cluster-udn_blue' },
      ]) {
        const result = await fixture.logicalPorts.put(elsewhere);
        expect(result).to.have.property('error').include(`there is no Logical_Switch ${elsewhere.switchName}`);
        expect((await snapshot()).ports).to.deep.equal([]);
      }
    });

    it('deletes a port, whose addresses rest', async () => {
      await fixture.logicalPorts.put(web);
      expect(await fixture.logicalPorts.remove(web, 1000)).to.deep.equal({ done: true });
      expect(await snapshot()).to.deep.equal({ switches, ports: [], released: releasedAt(1000, ...web.addresses) });
    });

    it('forgets addresses that have rested, and knows each once', async () => {
      const other = logicalPort('other', '2', '10.20.1.4');
      for (const [port, now] of [
        [web, 1000],
        [other, 1059],
        [web, 1060],
      ] as const) {
        await fixture.logicalPorts.put(port);
        await fixture.logicalPorts.remove(port, now);
      }
      const { released } = await snapshot();
      expect(released).to.deep.equal([...releasedAt(1059, '10.20.1.4'), ...releasedAt(1060, ...web.addresses)]);
    });

    it('loses no released address of several deletions at once', async () => {
      const ports = ['3', '4', '5', '6'].map((end) => logicalPort(`web-${end}`, end, `10.20.1.${end}`));
      for (const port of ports) await fixture.logicalPorts.put(port);
      await Promise.all(ports.map((port) => fixture.logicalPorts.remove(port, 1000)));
      expect((await snapshot()).released).to.have.deep.members(
        releasedAt(1000, '10.20.1.3', '10.20.1.4', '10.20.1.5', '10.20.1.6'),
      );
    });

    it('deletes nothing that is not there, and no port of another pod', async () => {
      const again = logicalPort('web', '2', '10.20.1.4');
      await fixture.logicalPorts.put(again);
      expect(await fixture.logicalPorts.remove(web, 1000)).to.deep.equal({ done: true });
      expect(await snapshot()).to.deep.equal({ switches, ports: [again], released: [] });
    });

    it('says that the database cannot be reached', async () => {
      await fixture.fail();
      // The end of a connection is noticed a moment later.
      await eventually('it cannot be read', async () => !(await fixture.logicalPorts.read()).read);
      const reading = await fixture.logicalPorts.read();
      expect(reading.read ? [] : problemLines(reading)).not.to.deep.equal([]);
      expect(await fixture.logicalPorts.put(web)).to.include({ done: false });
    });
  });
}

/** Ports of a switch with the bridge br-int. */
export interface SwitchPortsUnderTest {
  readonly switchPorts: SwitchPorts;
  /** Has OVN install the flows of a port. */
  install(port: PodSwitchPort): void | Promise<void>;
  /** Has the device of an interface that was added, or not. */
  setDevice(name: string, isThere: boolean): void | Promise<void>;
  fail(): void | Promise<void>;
  end(): void | Promise<void>;
}

/** The port of a pod in Open vSwitch. */
export const switchPort: PodSwitchPort = {
  name: 'ovu0123456789ab',
  portName: web.name,
  networkName: web.networkName,
  definition: web.definition,
  pod: web.pod,
  addresses: ['10.20.1.3/24', 'fd20:0:0:1::3/64'],
  attachment: { containerId: 'c0ffee', ifname: 'net1' },
  mac: web.mac,
  defaultInterfaces: [
    { name: 'veth0', index: 7 },
    { name: 'veth=1', index: 12 },
  ],
  answers: [
    { destination: '0.0.0.0/0', gateway: '10.244.0.1', interface: 'eth0' },
    { destination: 'fd00:244::/64', gateway: '', interface: 'eth,1' },
  ],
};

/** Tests an implementation of SwitchPorts. */
export function describeSwitchPorts(
  name: string,
  start: () => SwitchPortsUnderTest | Promise<SwitchPortsUnderTest>,
): void {
  describe(`SwitchPorts: ${name}`, () => {
    let fixture: SwitchPortsUnderTest;
    beforeEach(async () => {
      fixture = await start();
    });
    afterEach(async () => {
      await fixture.end();
    });
    const never = new AbortController().signal;
    const ports = async () => valueOf(await fixture.switchPorts.read());

    it('has what was added, once', async () => {
      for (let time = 0; time < 2; time++) {
        expect(await fixture.switchPorts.add(switchPort)).to.deep.equal({ done: true });
      }
      const [port, ...others] = await ports();
      expect({ ...port, hasDevice: undefined }).to.deep.equal({
        ...switchPort,
        hasDevice: undefined,
        isInstalled: false,
      });
      expect(others).to.deep.equal([]);
    });

    it('has to which Services a pod has routes, be it none, or does not know it of one that an older agent has attached', async () => {
      await fixture.switchPorts.add(switchPort);
      expect((await ports())[0]).not.to.have.property('defaultServices');
      for (const defaultServices of [['10.96.0.1', 'fd96::a'], []]) {
        await fixture.switchPorts.add({ ...switchPort, defaultServices });
        expect((await ports())[0]?.defaultServices).to.deep.equal(defaultServices);
      }
    });

    it('has the same object for a port as long as it does not change', async () => {
      const read = async () => {
        const ports = valueOf(await fixture.switchPorts.read());
        return ports.find((port) => port.name === switchPort.name);
      };
      await fixture.switchPorts.add(switchPort);
      const other = { ...switchPort, name: 'ovu-other', portName: 'other' };
      // The switch completes it after it was added.
      await eventually('it is the same', async () => {
        const before = await read();
        await fixture.switchPorts.add(other);
        return before !== undefined && (await read()) === before;
      });
      await fixture.switchPorts.add({ ...switchPort, mac: '0a:58:0a:14:01:09' });
      expect((await read())?.mac).to.equal('0a:58:0a:14:01:09');
    });

    it('tells whether there is a device', async () => {
      await fixture.switchPorts.add(switchPort);
      for (const isThere of [true, false]) {
        await fixture.setDevice(switchPort.name, isThere);
        await eventually(
          `the device is ${isThere ? '' : 'not '}there`,
          async () => (await ports())[0]?.hasDevice === isThere,
        );
      }
    });

    it('removes a port, also one that is not there', async () => {
      await fixture.switchPorts.add(switchPort);
      for (let time = 0; time < 2; time++) {
        expect(await fixture.switchPorts.remove(switchPort.name)).to.deep.equal({ done: true });
      }
      expect(await ports()).to.deep.equal([]);
    });

    it('reports changes', async () => {
      const changed = Promise.withResolvers<undefined>();
      fixture.switchPorts.onChange(() => changed.resolve(undefined));
      await fixture.switchPorts.add(switchPort);
      await changed.promise;
    });

    it('waits until the flows are installed', async () => {
      await fixture.switchPorts.add(switchPort);
      const waiting = fixture.switchPorts.installed(switchPort.name, 60_000, never);
      await fixture.install(switchPort);
      expect(await waiting).to.equal(true);
      expect((await ports())[0]?.isInstalled).to.equal(true);
    });

    it('ends the wait when the time is over, the port is gone, or the plugin is', async () => {
      await fixture.switchPorts.add(switchPort);
      expect(await fixture.switchPorts.installed(switchPort.name, 10, never)).to.equal(false);
      const ended = new AbortController();
      const waiting = fixture.switchPorts.installed(switchPort.name, 60_000, ended.signal);
      ended.abort();
      expect(await waiting).to.equal(false);
      const gone = fixture.switchPorts.installed(switchPort.name, 60_000, never);
      await fixture.switchPorts.remove(switchPort.name);
      expect(await gone).to.equal(false);
    });

    it('says that the database cannot be reached', async () => {
      await fixture.fail();
      // The end of a connection is noticed a moment later.
      await eventually('it cannot be read', async () => !(await fixture.switchPorts.read()).read);
      const reading = await fixture.switchPorts.read();
      expect(reading.read ? [] : problemLines(reading)).not.to.deep.equal([]);
      expect(await fixture.switchPorts.add(switchPort)).to.include({ done: false });
    });
  });
}
