import { ip } from '../commands.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { startAnswering } from '../packets/exchange.ts';
import { prepare } from '../prepare.ts';

/** The network namespace beyond the default route of a node (ip-netns(8)), and the node's device to it. */
export const [WORLD, WAY] = ['world', 'way'] as const;

/** Addresses of a host there, which answers, one a family. */
export const worldAddresses = ['203.0.113.200', '2001:db8:ff::200'] as const;

/** The addresses of the router there. */
export const wayRouters = ['192.0.2.1', '2001:db8:b::1'] as const;

const prefixLengths = [24, 64] as const;

/** The addresses of a node on the link to the router there, by its number from 0 on. */
export const wayAddresses = (number: number) => [`192.0.2.${11 + number}`, `2001:db8:b::${11 + number}`] as const;

/** The other end of a way out: the addresses of its router, and of hosts behind that, each one a family. */
interface FarEnd {
  readonly routers: readonly string[];
  readonly hosts: readonly string[];
}

/** Commands that add a way out of the node by a device: a link to a router, the only one that has it. */
export function wayOut(
  device: string,
  namespace: string,
  addresses: readonly string[],
  { routers: near, hosts }: FarEnd = { routers: wayRouters, hosts: worldAddresses },
): readonly ArgumentVector[] {
  return [
    ip`netns add ${namespace}`,
    ip`link add ${device} up type veth peer name eth0 netns ${namespace}`,
    ip`-n ${namespace} link set lo up`,
    ip`-n ${namespace} link set eth0 up`,
    ...addresses.map(
      (address, index) => ip`address add ${`${address}/${prefixLengths[index] ?? 0}`} dev ${device} nodad`,
    ),
    ...near.map(
      (address, index) => ip`-n ${namespace} address add ${`${address}/${prefixLengths[index] ?? 0}`} dev eth0 nodad`,
    ),
    ...hosts.map((address) => ip`-n ${namespace} address add ${address} dev lo nodad`),
  ];
}

/** Commands that make a device the way out. */
export const defaultRoutes = (device: string): readonly ArgumentVector[] =>
  wayRouters.map((router) => ip`route replace default via ${router} dev ${device}`);

/** The network namespace of a host beyond the world, to which a link of a smaller MTU leads, and its addresses, one a family. */
export const BEYOND = 'beyond';
export const beyondAddresses = ['198.51.101.2', '2001:db8:fe::2'] as const;

/** The MTU of the link to the host beyond the world. */
export const NARROW_MTU = 1300;

/** Adds the host beyond the world to a node that has a way out. */
export async function connectBeyond(node: LabNode): Promise<void> {
  const near = beyondAddresses.map((address) => address.replace(/2$/, '1'));
  await prepare(node, [
    ip`netns add ${BEYOND}`,
    ip`-n ${WORLD} link add ${BEYOND} up mtu ${NARROW_MTU} type veth peer name eth0 netns ${BEYOND}`,
    ip`-n ${BEYOND} link set eth0 up`,
    ...[near, beyondAddresses].flatMap((addresses, end) =>
      addresses.map(
        (address, family) =>
          ip`-n ${[WORLD, BEYOND][end]!} address add ${`${address}/${prefixLengths[family]!}`} dev ${[BEYOND, 'eth0'][end]!} nodad`,
      ),
    ),
    ...near.map((address) => ip`-n ${BEYOND} route add default via ${address}`),
    [
      ...['ip', 'netns', 'exec', WORLD, '/bin/busybox', 'sysctl', '-w'],
      ...['net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1'],
    ],
  ]);
  await startAnswering(node, [BEYOND]);
}

/** Gives a node a way out, and a host there that answers. @param number of the node, from 0 on */
export async function connectWorld(node: LabNode, number: number): Promise<void> {
  await prepare(node, [...wayOut(WAY, WORLD, wayAddresses(number)), ...defaultRoutes(WAY)]);
  await startAnswering(node, [WORLD]);
}
