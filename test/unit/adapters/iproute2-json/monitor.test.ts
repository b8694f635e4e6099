import { expect } from 'chai';
import { IpMonitor } from '../../../../src/adapters/iproute2-json/monitor.ts';
import type { HostChange } from '../../../../src/ports/node/host-network.ts';
import type { ProgramListener } from '../../../../src/ports/node/long-lived-programs.ts';
import { eventually } from '../processes.ts';

describe('ip monitor', () => {
  const started: { readonly at: number; readonly listener: ProgramListener }[] = [];
  let calls = 0;
  let last: HostChange | undefined;
  let ends = 0;
  let problems: string[] = [];
  let newMonitor: () => IpMonitor;
  let monitor: IpMonitor;
  beforeEach(() => {
    started.length = 0;
    [calls, ends] = [0, 0];
    problems = [];
    const programs = {
      start: (_program: string, _words: readonly string[], listener: ProgramListener) => {
        started.push({ at: performance.now(), listener });
        return { write: () => undefined, end: () => (ends += 1) };
      },
    };
    newMonitor = () =>
      new IpMonitor(
        programs,
        (change) => {
          calls += 1;
          last = change;
        },
        (problem) => problems.push(problem),
        ({ address, device, macAddress }) =>
          device === 'br-blue' &&
          (address === '192.0.2.77' || (address === '192.0.2.1' && macAddress === '02:00:00:00:00:02')),
      );
    monitor = newMonitor();
  });
  afterEach(() => monitor.close());

  const print = (line: string): void => started.at(-1)?.listener.onOutput(line);

  for (const [line, change] of [
    ['[LINK]5: br-blue: <BROADCAST,UP> mtu 1500', 'hostNetwork'],
    ['[ROUTE]198.51.100.0/24 via 192.0.2.1 dev br-blue', 'hostNetwork'],
    ['[NEIGH]192.0.2.4 dev br-blue lladdr 0a:58:a9:fe:00:04 PERMANENT', 'neighbours'],
    ['[NEIGH]Deleted 192.0.2.4 dev br-blue lladdr 0a:58:a9:fe:00:04 PERMANENT', 'neighbours'],
    ['[NEIGH]192.0.2.77 dev br-blue lladdr 0a:58:a9:fe:00:04 REACHABLE', 'neighbours'],
    ['[NEIGH]192.0.2.1 dev br-blue lladdr 02:00:00:00:00:02 managed REACHABLE proto 94 ', 'neighbours'],
    ['an incomplete li', 'hostNetwork'],
  ] as const) {
    it(`reports ${line} as a change of ${change}`, () => {
      print(line);
      expect([calls, last]).to.deep.equal([1, change]);
    });
  }

  for (const lines of [
    [
      '[LINK]46: ovu1ab5f01d496b@if3: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1400 qdisc noqueue master ovs-system state UP',
      '    link/ether c2:5d:fc:61:e8:ac brd ff:ff:ff:ff:ff:ff link-netnsid 15',
    ],
    ['[LINK]Deleted 46: ovu1ab5f01d496b@NONE: <BROADCAST,MULTICAST> mtu 1400 qdisc noop state DOWN group default'],
    ['[ADDR]46: ovu1ab5f01d496b    inet6 fe80::1/64 scope link', '       valid_lft forever preferred_lft forever'],
    ['[ROUTE]fe80::/64 dev ovu1ab5f01d496b proto kernel metric 256 pref medium'],
    ['[ROUTE]Deleted local fe80::1 dev ovu1ab5f01d496b table local proto kernel metric 0 pref medium'],
    ['[NETCONF]inet6 ovu1ab5f01d496b forwarding on proxy_neigh off ignore_routes_with_linkdown off'],
    ['[NEIGH]ff02::16 dev ovu1ab5f01d496b lladdr 33:33:00:00:00:16 NOARP'],
  ]) {
    it(`does not report the host's end of a pod's interface: ${lines[0]}`, () => {
      lines.forEach(print);
      expect(calls).to.equal(0);
    });
  }

  for (const [what, lines] of [
    ['another device', ['[LINK]46: ovu1ab5f01d496b: <UP>', '    link/ether …', '[LINK]5: br-blue: <UP>']],
    ['a device with a longer name', ['[LINK]46: ovu1ab5f01d496bc: <UP>']],
    ['a device on it', ['[LINK]46: br-blue@ovu1ab5f01d496b: <UP>']],
    [
      'a route with several next hops',
      ['[ROUTE]192.0.2.0/24 proto static ', '\tnexthop via 192.0.2.1 dev ovu1ab5f01d496b weight 1 '],
    ],
  ] as const) {
    it(`reports ${what} beside it`, () => {
      lines.forEach(print);
      expect(calls).to.be.above(0);
    });
  }

  for (const state of ['REACHABLE', 'STALE', 'DELAY', 'PROBE', 'INCOMPLETE', 'FAILED']) {
    it(`does not report a neighbour that becomes ${state} by itself`, () => {
      print(`[NEIGH]192.0.2.33 dev br-blue lladdr 02:00:00:00:00:99 ${state}`);
      expect(calls).to.equal(0);
    });
  }

  for (const rest of ['lladdr 02:00:00:00:00:01 managed STALE proto 94 ', 'managed INCOMPLETE proto 94']) {
    it(`does not report a managed neighbour without another MAC address: ${rest}`, () => {
      print(`[NEIGH]192.0.2.1 dev br-blue ${rest}`);
      expect(calls).to.equal(0);
    });
  }

  it('reports that events were lost', () => {
    started[0]!.listener.onMessage('netlink receive error No buffer space available (105)');
    expect(calls).to.equal(1);
  });

  it('says once for each reason why changes may be noticed late', async () => {
    const lost = 'netlink receive error No buffer space available (105)';
    for (let time = 0; time < 2; time++) started[0]!.listener.onMessage(lost);
    started[0]!.listener.onEnd('exited with status 1');
    await eventually('it is started again', () => started.length === 2);
    started[1]!.listener.onEnd('exited with status 1');
    const program = 'the program ip monitor label link address route rule neigh nexthop netconf';
    expect(problems).to.deep.equal([
      `${program} printed: ${lost}: changes by other programs may have been missed, and everything is read again`,
      `${program} exited with status 1: changes by other programs are noticed up to 1.5 s late until it runs again`,
    ]);
  });

  it('does not say more of messages that differ each time than can be read', () => {
    for (let time = 0; time < 1000; time++) started[0]!.listener.onMessage(`error ${time}`);
    expect([problems.length, calls]).to.deep.equal([20, 1000]);
  });

  it('reports that something may have changed whenever it cannot be started', async () => {
    for (const attempt of [1, 2, 3]) {
      await eventually('it is started', () => started.length === attempt);
      started.at(-1)!.listener.onEnd('is not installed, or not in PATH');
      expect(calls).to.equal(attempt);
    }
  });

  it('reports that something may have changed before it listened', async () => {
    await eventually('the listener is called', () => calls > 0);
  });

  it('is started again after it exits, with backoff', async () => {
    started[0]!.listener.onEnd('exited with status 1');
    await eventually('it is started again', () => started.length === 2);
    started[1]!.listener.onEnd('exited with status 1');
    await eventually('it is started again', () => started.length === 3);
    expect(started[1]!.at - started[0]!.at).to.be.within(99, 1000);
    expect(started[2]!.at - started[1]!.at).to.be.within(199, 2000);
  });

  it('is not started again once it is closed', async () => {
    monitor.close();
    expect(ends).to.equal(1);
    started[0]!.listener.onEnd('was killed by SIGKILL');
    expect([calls, problems]).to.deep.equal([0, []]);
    // One that exits later is started again.
    const other = newMonitor();
    started[1]!.listener.onEnd('was killed by SIGKILL');
    await eventually('the other one is started again', () => started.length > 2);
    other.close();
    expect(started).to.have.length(3);
  });
});
