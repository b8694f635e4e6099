import { expect } from 'chai';
import { putRuleset } from '../../../src/domain/datapath/nftables/ruleset.ts';
import { interfaceLock } from '../../../src/domain/pods/interface-lock.ts';
import type { OpenPorts } from '../../../src/domain/pods/open-ports.ts';
import { LOCK_TABLE, lockChains } from '../../../src/domain/pods/lock-chains.ts';
import { ip } from './commands.ts';
import type { LabNode } from './node.ts';
import { type Exchange, exchange } from './packets/exchange.ts';
import { prepare } from './prepare.ts';
import { sharedMachine } from './shared-machine.ts';

/** Hosts beside the node, each on a link of its own; the node has the first address of each link. */
const hosts = ['pod', 'dns', 'api', 'stranger'] as const;
type Host = (typeof hosts)[number] | 'node';

const families = [4, 6] as const;
type Family = (typeof families)[number];

function addressOn(link: (typeof hosts)[number], family: Family, number: number): string {
  const index = hosts.indexOf(link) + 1;
  return family === 4 ? `10.1.${index}.${number}` : `fd01:${index}::${number}`;
}

const addressOf = (host: Host, family: Family) =>
  host === 'node' ? addressOn('pod', family, 1) : addressOn(host, family, 5);

const INSIDE = new URL('inside/answer.py', import.meta.url).pathname;
const SCTP = new URL('inside/sctp.py', import.meta.url).pathname;

/** Types of chunks of SCTP (RFC 9260, section 3.2). */
const [INIT, INIT_ACK] = [1, 2];

/** Ports on which hosts answer. */
const servers: readonly (readonly [host: (typeof hosts)[number], port: number])[] = [
  ['pod', 8080],
  ['pod', 9090],
  ['dns', 53],
  ['dns', 8080],
  ['api', 443],
  ['api', 8080],
  ['stranger', 8080],
  ['stranger', 53],
];

interface Attempt extends Pick<Exchange, 'protocol' | 'port'> {
  readonly from: Host;
  readonly to: Host;
}

/** The traffic that a pod needs. */
const allowed: readonly Attempt[] = [
  { from: 'pod', to: 'dns', protocol: 'udp', port: 53 },
  { from: 'pod', to: 'dns', protocol: 'tcp', port: 53 },
  { from: 'pod', to: 'api', protocol: 'tcp', port: 443 },
  { from: 'node', to: 'pod', protocol: 'tcp', port: 8080 },
];

/** The traffic that would lead around its network. */
const refused: readonly Attempt[] = [
  { from: 'pod', to: 'dns', protocol: 'tcp', port: 8080 },
  { from: 'pod', to: 'dns', protocol: 'icmp' },
  { from: 'pod', to: 'api', protocol: 'udp', port: 443 },
  { from: 'pod', to: 'api', protocol: 'tcp', port: 8080 },
  { from: 'pod', to: 'stranger', protocol: 'tcp', port: 8080 },
  { from: 'pod', to: 'stranger', protocol: 'udp', port: 53 },
  { from: 'pod', to: 'stranger', protocol: 'icmp' },
  { from: 'pod', to: 'node', protocol: 'icmp' },
  // The question arrives, and its answer does not leave.
  { from: 'node', to: 'pod', protocol: 'tcp', port: 9090 },
  { from: 'node', to: 'pod', protocol: 'udp', port: 8080 },
  { from: 'node', to: 'pod', protocol: 'icmp' },
  { from: 'stranger', to: 'pod', protocol: 'tcp', port: 8080 },
  { from: 'stranger', to: 'pod', protocol: 'udp', port: 8080 },
  { from: 'stranger', to: 'pod', protocol: 'icmp' },
  { from: 'dns', to: 'pod', protocol: 'tcp', port: 8080 },
  { from: 'api', to: 'pod', protocol: 'tcp', port: 8080 },
];

const textOf = ({ from, to, protocol, port = 0 }: Attempt, family: Family) =>
  `IPv${family} ${protocol} ${from} > ${to}:${port}`;

describe('the locked interface of a pod in the default network', () => {
  let node: LabNode;

  before(async () => {
    node = await (await sharedMachine()).node('worker-lock', { openVSwitch: false });
    await prepare(
      node,
      hosts.flatMap((host) => [
        ip`netns add ${host}`,
        ip`link add ${`to-${host}`} up type veth peer name eth0 netns ${host}`,
        ip`-n ${host} link set lo up`,
        ip`-n ${host} link set eth0 up`,
        ...families.flatMap((family) => {
          const length = family === 4 ? 24 : 64;
          const gateway = addressOn(host, family, 1);
          // No duplicates are looked for, which takes a second or two.
          const atOnce = family === 6 ? ['nodad'] : [];
          return [
            [...ip`address add ${`${gateway}/${length}`} dev ${`to-${host}`}`, ...atOnce],
            [...ip`-n ${host} address add ${`${addressOf(host, family)}/${length}`} dev eth0`, ...atOnce],
            ip`-n ${host} route add default via ${gateway}`,
          ];
        }),
      ]),
    );
    for (const [host, port] of servers) {
      const output = `/run/answer-${host}-${port}`;
      await node.start([INSIDE, String(port), host], output);
      await node.until([], output, 'ready');
    }
  });

  /** The attempts that are answered, in both families. */
  async function answered(attempts: readonly Attempt[], unanswered = false): Promise<readonly string[]> {
    const cases = families.flatMap((family) => attempts.map((attempt) => ({ attempt, family })));
    const found = await exchange(
      node,
      cases.map(({ attempt: { from, to, protocol, port }, family }): Exchange => {
        const of = { ...(from !== 'node' && { from }), ...(port !== undefined && { port }) };
        return { ...of, to: addressOf(to, family), protocol, unanswered };
      }),
    );
    return cases.flatMap(({ attempt, family }, index) =>
      Object.keys(found[index]?.answers ?? {}).length === 0 ? [] : [textOf(attempt, family)],
    );
  }
  /** The error of a connection from a port of the pod to one of its node that no program listens on. */
  const connectionFrom = async (sourcePort: number, family: Family) => {
    const asked = { from: 'pod', to: addressOf('node', family), protocol: 'tcp', sourcePort, port: 7 } as const;
    const [answers] = await exchange(node, [{ ...asked, unanswered: true }]);
    return answers?.error;
  };
  const all = (attempts: readonly Attempt[]) =>
    families.flatMap((family) => attempts.map((each) => textOf(each, family)));

  async function lock(probedPorts: readonly number[], open?: OpenPorts): Promise<void> {
    const [link] = JSON.parse(await node.does(ip`-json link show dev to-pod`)) as readonly [
      { readonly ifindex: number },
    ];
    const surroundings = {
      nodeAddresses: families.flatMap((family) => hosts.map((host) => addressOn(host, family, 1))),
      services: families.flatMap((family) => [
        { protocol: 'tcp', address: addressOf('dns', family), port: 53 } as const,
        { protocol: 'udp', address: addressOf('dns', family), port: 53 } as const,
        { protocol: 'tcp', address: addressOf('api', family), port: 443 } as const,
      ]),
    };
    const toPod = { name: 'to-pod', index: link.ifindex };
    const chains = lockChains({ interface: toPod, lock: interfaceLock(probedPorts, surroundings, open) });
    const ruleset = putRuleset(LOCK_TABLE, chains);
    const { exitCode, stderr } = await node.run(['nft', '--json', ruleset]);
    expect(exitCode, stderr).to.equal(0);
  }

  const between = (from: (typeof hosts)[number], to: (typeof hosts)[number], family: Family) => ({
    from,
    to,
    address: addressOf(to, family),
  });

  /** Whether each packet of SCTP arrives. */
  async function arrive(packets: readonly object[]): Promise<readonly boolean[]> {
    const { exitCode, stdout, stderr } = await node.run([SCTP], { input: JSON.stringify(packets) });
    expect(exitCode, stderr).to.equal(0);
    return JSON.parse(stdout) as readonly boolean[];
  }

  it('is not locked at first: everything is answered', async () => {
    const attempts = [...allowed, ...refused];
    expect(await answered(attempts)).to.deep.equal(all(attempts));
    for (const family of families) expect(await connectionFrom(7070, family)).to.include('Connection refused');
  });

  it('lets pass what the pod and its kubelet need, and nothing else', async () => {
    await lock([8080]);
    expect(await answered(allowed)).to.deep.equal(all(allowed));
    expect(await answered(refused, true)).to.deep.equal([]);
  });

  it('lets no connection begin at a port that is probed', async () => {
    await lock([7070, 8080]);
    for (const family of families) expect(await connectionFrom(7070, family)).to.equal('timed out');
  });

  it('still resolves addresses, once neighbours are forgotten', async () => {
    await node.does(ip`neigh flush dev to-pod`, ip`-n pod neigh flush dev eth0`);
    expect(await answered(allowed)).to.deep.equal(all(allowed));
  });

  it('takes other rules in the place of the former ones, in one transaction', async () => {
    await lock([9090]);
    const probes: readonly Attempt[] = [8080, 9090].map((port) => ({ from: 'node', to: 'pod', protocol: 'tcp', port }));
    expect(await answered(probes, true)).to.deep.equal(all(probes.slice(1)));
  });

  it('lets everybody reach a port that the pod opens, where no connection of its own begins', async () => {
    await lock([], { tcp: [7070, 9090], sctp: [] });
    const asked = (['node', 'dns', 'stranger'] as const).flatMap((from) =>
      [8080, 9090].map((port): Attempt => ({ from, to: 'pod', protocol: 'tcp', port })),
    );
    expect(await answered(asked, true)).to.deep.equal(all(asked.filter(({ port }) => port === 9090)));
    expect(await answered(allowed.slice(0, 3))).to.deep.equal(all(allowed.slice(0, 3)));
    for (const family of families) expect(await connectionFrom(7070, family)).to.equal('timed out');
  });

  it('lets everybody reach a port of SCTP that the pod opens, where no association of its own begins', async () => {
    await lock([], { tcp: [], sctp: [9090] });
    const packets = families.flatMap((family) => [
      ...[9090, 8080].map((port) => ({ ...between('stranger', 'pod', family), sourcePort: 7, port, chunk: INIT })),
      ...[
        { sourcePort: 9090, chunk: INIT },
        { sourcePort: 9090, chunk: INIT_ACK },
        { sourcePort: 8080, chunk: INIT_ACK },
      ].map((each) => ({ ...between('pod', 'stranger', family), port: 7, ...each })),
    ]);
    expect(await arrive(packets)).to.deep.equal(families.flatMap(() => [true, false, false, true, false]));
    await lock([], { tcp: [9090], sctp: [] });
    expect(await arrive(packets)).to.deep.equal(packets.map(() => false));
  });

  it('leaves nothing once the interface is gone', async () => {
    await node.does(ip`link delete dev to-pod`);
    const { nftables } = JSON.parse(await node.does(['nft', '--json', 'list', 'table', 'netdev', 'ovn-uplinks'])) as {
      readonly nftables: readonly object[];
    };
    expect(nftables.filter((each) => 'chain' in each)).to.deep.equal([]);
  });
});
