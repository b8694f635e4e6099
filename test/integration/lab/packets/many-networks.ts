import { resolve } from 'node:path';
import { NodeAgent } from '../agent/node-agent.ts';
import { tables } from '../../../../src/domain/dataplane/pipeline/tables.ts';
import { ip, ovsVsctl } from '../commands.ts';
import type { SharedMachine } from '../each-userland.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { prepare } from '../prepare.ts';
import { sharedMachine } from '../shared-machine.ts';
import { lossCounters, printedOn } from './loss-counters.ts';
import { ownHalfWords, podAddresses, podMac, routerMac } from './own-half.ts';
import { defaultBridge } from './packet-node.ts';
import { providerNamespace, uplinksWithProviders, wireOf } from './provider.ts';
import { bridgeOf, clusterWith, common, type LabUplink, type Tenant } from './tenant.ts';

const INSIDE = resolve(import.meta.dirname, '../inside');

/** The uplink of all networks. */
export const sharedUplink: LabUplink = { name: 'many', macAddress: '02:00:00:00:09:06' };

/** A host on the link of the uplink that is no gateway, in both families. */
export const linkNeighbours = ['192.0.2.77', '2001:db8:b::77'] as const;

/** The port of the node that the pods of all networks are behind, and the end of its wire. */
const [TRUNK, TRUNK_END] = ['trunk', 'trunk-end'];

/** Networks of the default routing domain on one bridge. */
export function manyTenants(count: number): readonly Tenant[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `net${index + 1}`,
    networkId: index + 1,
    uplink: sharedUplink,
  }));
}

/** The own halves of networks in one transaction, with pods behind one port. */
function ownHalves(tenants: readonly Tenant[], node: string): readonly ArgumentVector[] {
  return [
    ['ovn-nbctl', 'ls-add', TRUNK, '--', 'lsp-add', TRUNK, TRUNK, '--', 'lsp-set-addresses', TRUNK, 'unknown'],
    [
      'ovn-nbctl',
      ...tenants.flatMap((tenant) => ownHalfWords(tenant, node, { port: TRUNK, tag: tenant.networkId })).slice(1),
    ],
    ip`link add ${TRUNK} up type veth peer name ${TRUNK_END}`,
    ip`link set ${TRUNK_END} up`,
    ovsVsctl`add-port br-int ${TRUNK} -- set Interface ${TRUNK} ${`external_ids:iface-id=${TRUNK}`}`,
    // Their numbers are those of the networks' tables; nothing is sent by them here.
    ...tenants.map(({ networkId }) => ip`link add ${`ovn-k8s-mp${networkId}`} up type dummy`),
  ];
}

/** A node with the own halves of networks on one bridge, whose provider announces its MAC address when it changes; no agent runs yet. */
export async function nodeOfMany(tenants: readonly Tenant[], machine: SharedMachine = sharedMachine): Promise<LabNode> {
  const node = await (await machine()).node('worker-a', { ovn: true });
  const namespace = providerNamespace(sharedUplink);
  // It announces a new MAC address, and keeps its addresses while its end of the wire is down.
  const settings = ['ipv4.conf.eth0.arp_notify', 'ipv6.conf.eth0.ndisc_notify', 'ipv6.conf.eth0.keep_addr_on_down'].map(
    (name) => `net.${name}=1`,
  );
  await prepare(node, [
    ...defaultBridge,
    ...uplinksWithProviders([sharedUplink]),
    ...linkNeighbours.map(
      (address, index) => ip`-n ${namespace} address add ${address}/${[24, 64][index] ?? 0} dev eth0 nodad`,
    ),
    ['ip', 'netns', 'exec', namespace, 'sysctl', '-w', ...settings],
    ...ownHalves(tenants, node.name),
  ]);
  await NodeAgent.prepare(node, clusterWith(tenants));
  return node;
}

/** Echo requests of the pods of many networks. */
export interface Asking {
  /** How many pods ask. */
  readonly pods: number;
  readonly to: string;
  /** Seconds between two requests of a pod. */
  readonly interval: number;
  /** Seconds. */
  readonly deadline: number;
  /** The command that is run once all have been answered; answers to earlier requests do not count. */
  readonly run?: ArgumentVector;
}

/** Their results. */
export interface Asked {
  /** By pod, until its first answer; from the first request, or from the end of what was run. */
  readonly milliseconds: Readonly<Record<string, number>>;
  /** How many requests were sent until then. */
  readonly requests: number;
  readonly unanswered: readonly number[];
  /** How many answers came to another pod than the one that had asked. */
  readonly elsewhere: number;
}

/** Has the pods of many networks ask until they are answered. */
export async function ask(node: LabNode, asking: Asking): Promise<Asked> {
  const family = asking.to.includes(':') ? 1 : 0;
  const pods = { device: TRUNK_END, from: podAddresses[family], macAddress: podMac, router: routerMac };
  const input = JSON.stringify({ ...pods, ...asking });
  const deadline = (2 * asking.deadline + 30) * 1000;
  const { exitCode, stdout, stderr } = await node.run([`${INSIDE}/many-pods.py`], { input, deadline });
  if (exitCode !== 0) throw new Error(`many-pods.py on ${node.name} exited with status ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as Asked;
}

/** The cost of broadcasts. */
export interface Broadcasts {
  readonly sent: number;
  /** Seconds of CPU that ovs-vswitchd has used meanwhile. */
  readonly cpu: number;
}

/** Broadcasts a thousand ARP requests a second from the provider, for some seconds. */
export async function broadcasts(node: LabNode, seconds: number): Promise<Broadcasts> {
  const words = [providerNamespace(sharedUplink), '1000', String(seconds)];
  return JSON.parse(await node.does([`${INSIDE}/arp-flood.py`, ...words])) as Broadcasts;
}

/** How many times what a broadcast costs with few networks it costs with many. */
export function costRatio(many: Broadcasts, few: Broadcasts): number {
  return many.cpu / many.sent / (few.cpu / few.sent);
}

/** Describes, to explain lost answers, what a node and the provider know of each other, how the node sends to it, and what its agent has done. */
export async function linkReport(node: LabNode): Promise<string> {
  const bridge = bridgeOf(sharedUplink);
  const commands: readonly ArgumentVector[] = [
    ['date', '--utc', '--iso-8601=ns'],
    ip`-statistics neighbour show dev ${bridge}`,
    provider('-statistics', 'neighbour'),
    provider('address', 'show', 'dev', 'eth0'),
    ip`link show ${wireOf(sharedUplink)}`,
    ['ovs-ofctl', 'dump-flows', bridge, `table=${tables.nextHop}`],
    ['ovs-appctl', 'upcall/show'],
    ['sh', '-c', 'ovs-appctl dpctl/dump-flows | grep 0a:5a: | head --lines=20'],
    ['sh', '-c', `grep --invert-match '"msg":"network net' /run/agent.log | tail --lines=40 | cut --characters=1-300`],
  ];
  return `${await printedOn(node, commands)}\n${await lossCounters(node)}`;
}

/** Milliseconds until the last pod was answered. */
export function slowest({ milliseconds }: Asked): number {
  return Math.max(...Object.values(milliseconds));
}

/** The command of ip(8) in the provider's network namespace. */
export function provider(...words: readonly string[]): ArgumentVector {
  return ['ip', '-n', providerNamespace(sharedUplink), ...words];
}

/** Milliseconds until the kernel gives a silent neighbour up: three requests, after as many probes. */
const GIVEN_UP = 60_000;

/** Takes the provider's end of the wire down, and waits until the kernel has given its gateways of both families up. */
export async function silence(node: LabNode): Promise<void> {
  const watch = ['ip', 'monitor', 'neigh', 'dev', bridgeOf(sharedUplink)];
  const output = '/run/neighbours.log';
  const monitor = await node.start(watch, output);
  const givenUp = common.gateways.map((gateway) => `(?=.*${gateway} (router )?managed FAILED)`).join('');
  await node.until([provider('link', 'set', 'eth0', 'down')], output, `\\A${givenUp}`, GIVEN_UP);
  await monitor.signal('SIGTERM');
  await monitor.exit();
}
