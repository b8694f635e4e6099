/** Packets that are not to be sent: frames of pods past their kernels, and requests from beyond the node. */
import { macAddressOf } from '../../../../src/domain/basics/addresses/ip-address.ts';
import { ip } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { WireCapture } from '../packets/capture.ts';
import { namespaceOf, PRIMARY_INTERFACE, type StartedPod } from './lab-pod.ts';
import { answersOf } from './reachability.ts';
import { WAY, WORLD, wayRouters, worldAddresses } from './world.ts';

const SEND = new URL('../inside/send.py', import.meta.url).pathname;

/** The MAC address of the router of a pod's network on its node, or of the management port there, by the last number of its address (docs/design/field-facts.md). */
function macOf({ addresses: [address = ''] }: StartedPod, number: 1 | 2): string {
  return macAddressOf(address.replace(/\d+$/, String(number)));
}

/** Destinations on the node itself that no packet may have on a link (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3). */
export const loopbackAddresses = ['127.0.0.1', '::1'] as const;

/** The packets that frames of a pod lead to. */
interface Sent {
  /** Packets on the management port to the world. */
  readonly atPort: number;
  /** Packets on the way out with addresses of the pod, and those to or from loopback addresses there or on the management port. */
  readonly beyond: readonly string[];
}

/** The words of a filter for packets from or to addresses (pcap-filter(7)). */
const withAny = (addresses: readonly string[]) => addresses.map((address) => `host ${address}`).join(' or ');

/** Has a pod send frames for the world to the management port, and for loopback addresses to its router. @param port the management port */
export async function sendFrames(pod: StartedPod, port: string): Promise<Sent> {
  const frames = pod.addresses.flatMap((source, family) => [
    { to: macOf(pod, 2), source, destination: worldAddresses[family]! },
    { to: macOf(pod, 1), source, destination: loopbackAddresses[family]! },
  ]);
  const [atPort, atWay] = await Promise.all([port, WAY].map((device) => WireCapture.startAtNode(pod.node, device)));
  const command = [SEND, namespaceOf(pod), PRIMARY_INTERFACE];
  const { exitCode, stderr } = await pod.node.run(command, { input: JSON.stringify(frames) });
  if (exitCode !== 0) throw new Error(`send.py on ${pod.node.name} exited with status ${exitCode}: ${stderr}`);
  // What is sent later takes the same way.
  for (const address of worldAddresses) await answersOf(pod, address);
  await Promise.all([atPort!.stop(), atWay!.stop()]);
  const loopback = withAny(loopbackAddresses);
  const own = pod.addresses.map((address) => `src ${address}`).join(' or ');
  return {
    atPort: (await atPort!.packets(`(${own}) and (${withAny(worldAddresses)})`)).length,
    beyond: [
      ...(await atWay!.packets(`${own} or ${loopback}`)),
      ...(await atPort!.packets(`src 127.0.0.1 or src ::1`)),
    ],
  };
}

/** Gives the VRF of a network a default route of each family beyond the node, as it may have for other purposes, or removes them. */
export async function changeVrfRoutes(node: LabNode, verb: 'add' | 'delete', table: string | number): Promise<void> {
  await node.does(
    ...wayRouters.map((router) => ip`route ${verb} default via ${router} dev ${WAY} onlink table ${table} metric 1`),
  );
}

/** The packets of hosts outside to addresses of a node. */
interface Arrivals {
  /** Those on the way to the node. */
  readonly sent: number;
  /** Those on management ports and in the pod. */
  readonly arrived: readonly string[];
}

/**
 * Has the router beyond the node of a pod send echo requests there.
 *
 * @param way addresses of the node on the link to that router
 * @param ports management ports of the node
 */
export async function sendFromOutside(
  pod: StartedPod,
  way: readonly string[],
  ports: readonly string[],
  addresses: readonly string[],
): Promise<Arrivals> {
  const { node } = pod;
  const inWorld = ['ip', 'netns', 'exec', WORLD];
  const routes = (verb: 'add' | 'delete') =>
    addresses.map((address) => {
      const gateway = way[address.includes(':') ? 1 : 0]!;
      return ip`-n ${WORLD} route ${verb} ${address} via ${gateway}`;
    });
  await node.does(...routes('add'));
  const atWay = await WireCapture.startAtNode(node, WAY);
  const inside = [
    ...(await Promise.all(ports.map((device) => WireCapture.startAtNode(node, device)))),
    await WireCapture.start(node, namespaceOf(pod), PRIMARY_INTERFACE),
  ];
  await Promise.all(
    addresses.map((address) => node.run([...inWorld, 'ping', '-n', '-q', '-c', '1', '-W', '0.2', address])),
  );
  // What is sent later arrives later.
  for (const address of worldAddresses) await answersOf(pod, address);
  await Promise.all([atWay, ...inside].map((wire) => wire.stop()));
  await node.does(...routes('delete'));
  const from = wayRouters.map((router) => `src ${router}`).join(' or ');
  const to = addresses.map((address) => `dst ${address}`).join(' or ');
  const echo = 'icmp[icmptype] == icmp-echo or icmp6[icmp6type] == icmp6-echo';
  const seen = await atWay.packets(`(${from}) and (${to}) and (${echo})`);
  return {
    sent: new Set(seen.map((line) => /> (\S+): ICMP/.exec(line)?.[1])).size,
    arrived: (await Promise.all(inside.map((wire) => wire.packets(from)))).flat(),
  };
}
