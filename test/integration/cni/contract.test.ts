/**
 * The CNI specification, with its reference runtime cnitool: the plugin, the socket, the agent and the kernel are real; OVN and Open vSwitch are in memory.
 */
import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { CNI_VERSIONS, type CniVersion } from '../../../src/domain/pods/cni/versions.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { configureDefault, PodHost, type ProgramEnd } from './pod-host.ts';
import { nothing } from '../../unit/control/pods/pod-scene.ts';
import { ROUTER, ServedPods } from './served-pods.ts';

interface Result {
  readonly cniVersion: string;
  readonly interfaces: readonly { readonly name: string; readonly sandbox?: string; readonly mac?: string }[];
  readonly ips: readonly { readonly address: string; readonly gateway?: string; readonly interface: number }[];
}

const resultOf = ({ status, stdout, stderr }: ProgramEnd): Result => {
  expect(status, stderr).to.equal(0);
  return JSON.parse(stdout) as Result;
};

interface Address {
  readonly local: string;
  readonly prefixlen: number;
}

interface Link {
  readonly ifname: string;
  readonly address: string;
  readonly mtu: number;
  readonly addr_info: readonly Address[];
}

interface Route {
  readonly dst: string;
  readonly gateway?: string;
  readonly dev: string;
}

describe('the CNI plugin with the reference runtime', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-test-'));
  const socket = join(folder, 'cni.sock');
  let host: PodHost;
  let served: ServedPods;
  before(async () => {
    host = await PodHost.start(socket);
  });
  after(async () => {
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    served = new ServedPods(socket);
    await served.start(host);
  });
  afterEach(async () => {
    await served.stop();
    await host.does(
      'rm -rf /etc/cni/net.d/* /var/lib/cni/*; for each in $(ip netns list | cut -d " " -f 1); do ip netns delete $each; done',
    );
  });

  /** The other end of a pod’s interface, as the host has it. */
  const peerOf = async (pod: string, device: string) => {
    const [{ link_index: index }] = (await host.ip(pod, 'link', 'show', 'dev', device)) as [
      { readonly link_index: number },
    ];
    const all = JSON.parse(await host.does('ip -json link show')) as readonly {
      readonly ifname: string;
      readonly ifindex: number;
    }[];
    return { name: all.find(({ ifindex }) => ifindex === index)?.ifname, index };
  };

  const configure = async (cniVersion: CniVersion, more: object = {}) => {
    const plugin = { type: 'ovn-uplinks-cni', ...more };
    const list = { cniVersion, name: 'cluster_udn_blue', plugins: [plugin] };
    await host.does(`cat > /etc/cni/net.d/20-blue.conflist <<'END'\n${JSON.stringify(list)}\nEND`);
  };

  const links = async (pod: string) => (await host.ip(pod, 'address', 'show')) as readonly Link[];

  const routes = async (pod: string, family: 4 | 6 = 4) =>
    (await host.ip(pod, `-${family}`, 'route')) as readonly Route[];

  /** The host's ends of interfaces of pods. */
  const hostLinks = async () => {
    const found = JSON.parse((await host.does('ip -json link show type veth')) || '[]') as readonly Partial<Link>[];
    return found.flatMap(({ ifname }) => ifname ?? []);
  };

  for (const cniVersion of CNI_VERSIONS) {
    it(`attaches a pod, checks it, and detaches it in version ${cniVersion}`, async () => {
      await configure(cniVersion);
      const environment = await served.create('web');
      const call = (command: string) => host.cnitool(command, 'cluster_udn_blue', 'web', environment);

      const result = resultOf(await call('add'));
      expect(result.cniVersion).to.equal(cniVersion);
      expect(result.interfaces[1]).to.include({ name: 'net1', sandbox: '/run/netns/web', mac: '0a:58:0a:14:01:03' });
      expect(result.ips.map(({ address, gateway, interface: at }) => [address, gateway, at])).to.deep.equal([
        ['10.20.1.3/24', ROUTER[4], 1],
        ['fd20:0:0:1::3/64', ROUTER[6], 1],
      ]);
      const link = (await links('web')).find(({ ifname }) => ifname === 'net1');
      expect(link).to.include({ address: '0a:58:0a:14:01:03', mtu: 1400 });
      expect(link?.addr_info.map(({ local }) => local)).to.include.members(['10.20.1.3', 'fd20:0:0:1::3']);
      const [byDefault] = (await routes('web')).filter(({ dst }) => dst === 'default');
      expect(byDefault).to.include({ gateway: ROUTER[4], dev: 'net1' });
      const [byDefault6] = (await routes('web', 6)).filter(({ dst }) => dst === 'default');
      expect(byDefault6).to.include({ gateway: ROUTER[6], dev: 'net1' });
      expect(await hostLinks()).to.deep.equal([result.interfaces[0]?.name]);

      if (cniVersion !== '0.3.1') expect(await call('check')).to.include({ status: 0, stderr: '' });
      if (cniVersion === '1.1.0') expect(await call('status')).to.include({ status: 0, stderr: '' });
      for (let time = 0; time < 2; time++) expect(await call('del')).to.include({ status: 0, stderr: '' });
      expect(await hostLinks()).to.deep.equal([]);
      expect(served.node.remains()).to.deep.equal(nothing);
    });
  }

  it('is the primary network beside the default network of other plugins', async () => {
    await configureDefault(host);
    await configure('1.0.0');
    const environment = await served.create('web');
    resultOf(await host.cnitool('add', 'default', 'web', { CNI_IFNAME: 'eth0' }));
    resultOf(await host.cnitool('add', 'cluster_udn_blue', 'web', environment));
    const way = async (to: string) => {
      const [route] = (await host.ip('web', 'route', 'get', to)) as readonly Route[];
      return [route?.dev, route?.gateway];
    };
    expect(await way('198.51.100.1')).to.deep.equal(['net1', ROUTER[4]]);
    // Services and the node itself, so that probes and their answers go one way.
    expect(await way('10.96.0.10')).to.deep.equal(['eth0', '10.244.0.1']);
    expect(await way('172.18.0.2')).to.deep.equal(['eth0', '10.244.0.1']);
    expect(await host.cnitool('check', 'cluster_udn_blue', 'web', environment)).to.include({ status: 0, stderr: '' });
    const locked = served.node.locks.all.map((lock) => lock.interface);
    expect(locked).to.deep.equal([await peerOf('web', 'eth0')]);
    await host.cnitool('del', 'cluster_udn_blue', 'web', environment);
    expect(served.node.remains()).to.deep.equal(nothing);
    expect((await links('web')).map(({ ifname }) => ifname)).to.deep.equal(['lo', 'eth0']);
    expect(await host.cnitool('del', 'default', 'web', { CNI_IFNAME: 'eth0' })).to.include({ status: 0 });
  });

  const byFamily = {
    IPv4: { addresses: ['10.244.0.5', '10.244.0.6'], length: 24, gateway: '10.244.0.1', client: '198.51.100.1' },
    IPv6: { addresses: ['fd00:244::5', 'fd00:244::6'], length: 64, gateway: 'fe80::1', client: '2001:db8::1' },
  } as const;
  for (const families of [['IPv4', 'IPv6'], ['IPv6']] as const) {
    it(`answers from all addresses of its interface in a default network of ${families.join(' and ')} by that interface`, async () => {
      await configure('1.0.0');
      const environment = await served.create('web');
      const inside = (words: string) => `ip -netns web ${words}`;
      const commands = families.flatMap((family) => {
        const { addresses, length, gateway } = byFamily[family];
        const added = addresses.map((address) => inside(`address add ${address}/${length} dev eth0`));
        return [...added, inside(`route add default via ${gateway} dev eth0`)];
      });
      await host.does(
        ['ip link add name to-web up type veth peer name eth0 netns web', inside('link set eth0 up'), ...commands].join(
          '\n',
        ),
      );
      resultOf(await host.cnitool('add', 'cluster_udn_blue', 'web', environment));
      for (const family of families) {
        const { addresses, gateway, client } = byFamily[family];
        const way = async (from = '') => {
          const [route] = (await host.ip('web', 'route', 'get', client, from)) as readonly Route[];
          return [route?.dev, route?.gateway];
        };
        for (const address of addresses) expect(await way(`from ${address}`)).to.deep.equal(['eth0', gateway]);
        expect((await way())[0]).to.equal('net1');
      }
      expect(await host.cnitool('check', 'cluster_udn_blue', 'web', environment)).to.include({ status: 0, stderr: '' });
    });
  }

  it('refuses a pod whose interface in the default network has no other end on the host', async () => {
    await configure('1.0.0');
    const environment = await served.create('web');
    // The indexes that interfaces of the host have are in use in that namespace too.
    await host.does('ip netns add other; ip link add name eth0 netns web type veth peer name other0 netns other');
    const { status, stdout, stderr } = await host.cnitool('add', 'cluster_udn_blue', 'web', environment);
    expect(status).not.to.equal(0);
    expect(stdout + stderr).to.include('interface eth0 of the pod is in the default network and has no other end');
    expect(served.node.remains()).to.deep.equal(nothing);
  });

  it('has IPv6 where the runtime has disabled it, and takes no router advertisements', async () => {
    await configure('1.0.0');
    const environment = await served.create('web');
    await host.does(
      "ip netns exec web sh -c 'for each in all default; do echo 1 > /proc/sys/net/ipv6/conf/$each/disable_ipv6; done'",
    );
    resultOf(await host.cnitool('add', 'cluster_udn_blue', 'web', environment));
    expect(await host.does('ip netns exec web cat /proc/sys/net/ipv6/conf/net1/accept_ra')).to.equal('0\n');
    const link = (await links('web')).find(({ ifname }) => ifname === 'net1');
    expect(link?.addr_info.map(({ local }) => local)).to.include('fd20:0:0:1::3');
  });

  it('attaches many pods at once, each with its own addresses', async () => {
    await configure('1.0.0');
    const names = Array.from({ length: 8 }, (_, index) => `pod-${index}`);
    const environments = new Map<string, Readonly<Record<string, string>>>();
    for (const name of names) environments.set(name, await served.create(name));
    const results = await Promise.all(
      names.map(async (name) => resultOf(await host.cnitool('add', 'cluster_udn_blue', name, environments.get(name)))),
    );
    const given = results.map(({ ips }) => ips[0]?.address);
    expect(new Set(given).size).to.equal(names.length);
    await Promise.all(names.map((name) => host.cnitool('del', 'cluster_udn_blue', name, environments.get(name))));
    expect(served.node.remains().logicalPorts).to.deep.equal([]);
    expect(await hostLinks()).to.deep.equal([]);
  });

  it('attaches a container once, if the runtime asks for it twice at once', async () => {
    await configure('1.0.0');
    const environment = await served.create('web');
    const ends = await Promise.all([1, 2].map(() => host.cnitool('add', 'cluster_udn_blue', 'web', environment)));
    expect(ends.filter(({ status }) => status === 0)).to.have.length(1);
    expect(ends.map(({ stderr }) => stderr).join()).to.include('there is an interface net1 in the namespace');
    expect(served.node.switchPorts).to.have.length(1);
    expect(await host.cnitool('check', 'cluster_udn_blue', 'web', environment)).to.include({ status: 0, stderr: '' });
  });

  /** A pod whose ADD waits for an answer of the router, which does not answer. */
  const waiting = async () => {
    await configure('1.0.0');
    const environment = await served.create('web');
    served.hasRouter = false;
    return environment;
  };

  const routerIsAsked = () => eventually('the router is asked', () => served.node.calls.includes('wait for flows'));

  it('leaves nothing after the runtime has killed the plugin in the middle of ADD, and called DEL', async () => {
    const environment = { ...(await waiting()), CNI_CONTAINERID: 'c0ffee', CNI_NETNS: '/run/netns/web' };
    const start =
      'echo \'{"cniVersion":"1.0.0","name":"blue"}\' > /etc/cni/config; exec "$CNI_PATH/ovn-uplinks-cni" < /etc/cni/config';
    const plugin = host.spawn('sh', ['-c', start], { ...environment, CNI_COMMAND: 'ADD' });
    await routerIsAsked();
    plugin.kill('SIGKILL');
    const del = await host.run('sh', ['-c', start], { ...environment, CNI_COMMAND: 'DEL' });
    expect(del).to.deep.equal({ status: 0, stdout: '', stderr: '' });
    expect((await links('web')).map(({ ifname }) => ifname)).to.deep.equal(['lo']);
    expect(served.node.remains()).to.deep.equal(nothing);
  });

  it('leaves nothing after the agent has ended in the middle of ADD, and the next one got DEL', async () => {
    const environment = await waiting();
    const adding = host.cnitool('add', 'cluster_udn_blue', 'web', environment);
    await routerIsAsked();
    await served.stop();
    expect((await adding).stderr).to.include('the agent of ovn-uplinks on this node does not answer');
    await served.start(host);
    expect(await host.cnitool('del', 'cluster_udn_blue', 'web', environment)).to.include({ status: 0, stderr: '' });
    expect((await links('web')).map(({ ifname }) => ifname)).to.deep.equal(['lo']);
    expect(served.node.remains()).to.deep.equal(nothing);
  });

  it('refuses an interface that exists, and leaves that of another program', async () => {
    await configure('1.0.0');
    const environment = await served.create('web');
    await host.does('ip -netns web link add net1 type veth peer name other');
    const { status, stderr } = await host.cnitool('add', 'cluster_udn_blue', 'web', environment);
    expect([status, stderr]).to.satisfy(([code, text]: [number, string]) => code !== 0 && text.includes('CNI_IFNAME'));
    expect(await host.cnitool('del', 'cluster_udn_blue', 'web', environment)).to.include({ status: 0 });
    await served.stop();
    expect(await host.cnitool('del', 'cluster_udn_blue', 'web', environment)).to.include({ status: 0 });
    expect((await links('web')).map(({ ifname }) => ifname)).to.include('net1');
  });

  it('refuses the namespace of the host, and what is no namespace', async () => {
    await configure('1.0.0');
    const environment = await served.create('web');
    for (const [path, reason] of [
      ['/proc/self/ns/net', 'is the network namespace of the host'],
      ['/etc/passwd', 'is not a network namespace'],
      ['/run/netns/gone', 'no such file or directory'],
    ] as const) {
      const { status, stderr } = await host.cnitool('add', 'cluster_udn_blue', `../..${path}`, environment);
      expect(status, path).not.to.equal(0);
      expect(stderr, path).to.include(reason);
    }
    expect(served.node.remains()).to.deep.equal(nothing);
  });

  it('deletes what is left of a namespace that is gone', async () => {
    await configure('1.0.0');
    const environment = await served.create('web');
    resultOf(await host.cnitool('add', 'cluster_udn_blue', 'web', environment));
    await host.does('ip netns delete web');
    expect(await host.cnitool('del', 'cluster_udn_blue', 'web', environment)).to.include({ status: 0 });
    expect(served.node.remains()).to.deep.equal(nothing);
  });

  it('leaves nothing where the router does not answer', async () => {
    await configure('1.0.0');
    const environment = await served.create('web');
    await served.stop();
    await served.start(host, { gateway: 500 });
    served.hasRouter = false;
    const { status, stderr } = await host.cnitool('add', 'cluster_udn_blue', 'web', environment);
    expect(status).not.to.equal(0);
    expect(stderr).to.include('no answer within 0.5 s');
    expect(await hostLinks()).to.deep.equal([]);
    expect(served.node.remains()).to.deep.equal(nothing);
  });

  it('finds by CHECK what was changed in the pod', async () => {
    await configure('1.0.0');
    const environment = await served.create('web');
    resultOf(await host.cnitool('add', 'cluster_udn_blue', 'web', environment));
    await host.does(
      'ip -netns web address delete 10.20.1.3/24 dev net1; ip -netns web link set net1 address 02:00:00:00:00:01',
    );
    const { status, stderr } = await host.cnitool('check', 'cluster_udn_blue', 'web', environment);
    expect(status).not.to.equal(0);
    expect(stderr).to.include('interface net1 has MAC address 02:00:00:00:00:01, expected 0a:58:0a:14:01:03');
    expect(stderr).to.include('interface net1 does not have address 10.20.1.3/24');
    expect(stderr).to.include(`there is no default route via ${ROUTER[4]} on interface net1`);
  });

  it('finds by CHECK that answers by the default network have lost their routes, or the rules that lead to them', async () => {
    await configureDefault(host);
    await configure('1.0.0');
    const environment = await served.create('web');
    resultOf(await host.cnitool('add', 'default', 'web', { CNI_IFNAME: 'eth0' }));
    resultOf(await host.cnitool('add', 'cluster_udn_blue', 'web', environment));
    const check = () => host.cnitool('check', 'cluster_udn_blue', 'web', environment);
    const [rule] = (await host.ip('web', 'rule', 'show', 'priority', '1006')) as readonly { readonly src: string }[];
    const lost = 'answers from the addresses of interface eth0 have no route to 0.0.0.0/0 via 10.244.0.1';
    for (const [change, undo] of [
      ['rule delete priority 1006', `rule add from ${rule?.src} priority 1006 table 1006`],
      ['route delete default table 1006', 'route add default via 10.244.0.1 dev eth0 onlink table 1006'],
    ]) {
      expect(await check()).to.include({ status: 0, stderr: '' });
      await host.does(`ip -netns web ${change}`);
      const { status, stderr } = await check();
      expect(status, change).not.to.equal(0);
      expect(stderr, change).to.include(lost);
      await host.does(`ip -netns web ${undo}`);
    }
    expect(await check()).to.include({ status: 0, stderr: '' });
  });

  it('collects what the runtime does not know any more', async () => {
    await configure('1.1.0');
    const environment = await served.create('web');
    const { interfaces } = resultOf(await host.cnitool('add', 'cluster_udn_blue', 'web', environment));
    const [{ attachment } = { attachment: undefined }] = served.node.switchPorts;
    const collect = async (...valid: readonly object[]) => {
      const config = { cniVersion: '1.1.0', name: 'cluster_udn_blue', 'cni.dev/valid-attachments': valid };
      return await host.does(`echo '${JSON.stringify(config)}' | CNI_COMMAND=GC "$CNI_PATH/ovn-uplinks-cni"`);
    };
    expect(await collect({ containerID: attachment?.containerId, ifname: 'net1' })).to.equal('');
    expect(served.node.switchPorts.map(({ name }) => name)).to.deep.equal([interfaces[0]?.name]);
    expect(await collect({ containerID: attachment?.containerId, ifname: 'net2' })).to.equal('');
    expect(served.node.remains()).to.deep.equal(nothing);
  });

  it('collects nothing where the runtime does not say what is valid, as cnitool', async () => {
    await configure('1.1.0');
    const environment = await served.create('web');
    const { stderr } = await host.cnitool('gc', 'cluster_udn_blue', 'web', environment);
    expect(stderr).to.include('cni.dev/valid-attachments: expected the list of valid attachments, found nothing');
  });

  it('deletes the interface without an agent, and with it what the agent finds later', async () => {
    await configure('1.1.0');
    const environment = await served.create('web');
    resultOf(await host.cnitool('add', 'cluster_udn_blue', 'web', environment));
    await served.stop();
    const status = await host.cnitool('status', 'cluster_udn_blue', 'web', environment);
    expect(status.stderr).to.include('the agent of ovn-uplinks on this node does not answer');
    expect(await host.cnitool('del', 'cluster_udn_blue', 'web', environment)).to.include({ status: 0 });
    expect((await links('web')).map(({ ifname }) => ifname)).to.deep.equal(['lo']);
    expect(await hostLinks()).to.deep.equal([]);
  });
});
