/**
 * Adds routes, next hop objects, rules, neighbours and settings for one interface of a node.
 */
import type { Link, NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import { kernelRules } from '../brief-node.ts';
import { withRoutesOfAddresses } from '../kernel-routes.ts';
import { administratorNextHopObjects, administratorRoutes } from './administrator-routes.ts';
import { populatedLinks, withoutLostMasters } from './populated-links.ts';
import type { NodeContent } from './node-contents.ts';
import { obstacleOn } from './obstacles.ts';

function sysctlsOf(
  links: readonly Link[],
  {
    device,
    keepsAddresses,
    strictness,
    forwarding: [forwarding, forced],
    acceptsAdvertisements,
    disablesIpv6,
  }: NodeContent,
): Record<string, string> {
  const names = ['all', 'default', ...links.map(({ name }) => name)];
  const values = names.flatMap((name): readonly (readonly [string, string])[] => {
    const key = name.replaceAll('.', '/');
    const strict = name === 'all' ? strictness[0] : name === device ? strictness[1] : '0';
    return [
      [`net.ipv4.conf.${key}.rp_filter`, strict],
      [`net.ipv4.conf.${key}.forwarding`, name === device ? forwarding : '1'],
      ...(forced === undefined
        ? []
        : [[`net.ipv6.conf.${key}.force_forwarding`, name === device ? forced : '0'] as const]),
      [`net.ipv6.conf.${key}.keep_addr_on_down`, name === 'all' ? keepsAddresses : '0'],
      [`net.ipv6.conf.${key}.accept_ra`, name === device ? acceptsAdvertisements : '1'],
      [`net.ipv6.conf.${key}.forwarding`, '1'],
      [`net.ipv6.conf.${key}.disable_ipv6`, name === 'default' ? disablesIpv6 : '0'],
    ];
  });
  return { ...Object.fromEntries(values), 'net.ipv4.tcp_l3mdev_accept': '0' };
}

/** The node with content on one of its interfaces. An interface that is down or has no address has no routes. */
export function populated(bare: NodeSnapshot, content: NodeContent): NodeSnapshot {
  const node = { ...bare, links: withoutLostMasters(bare.links) };
  const { device } = content;
  const lower = node.links.find(({ name }) => name === device);
  const other = device === 'br-two' ? 'br-one' : 'br-two';
  const source = lower?.addresses.find(({ address }) => !address.includes(':'))?.address;
  const inTheWay = obstacleOn({ device, other, source }, content.inTheWay);
  const isUsable = (name: string) =>
    node.links.some((link) => link.name === name && link.up && link.addresses.length > 0 && link.master === undefined);
  const usable = isUsable(device) && isUsable(other);
  const links = populatedLinks(node.links, content, inTheWay.alternativeName);
  const hasIpv6 = lower?.addresses.some(({ address }) => address.includes(':')) === true;
  const pool = administratorRoutes(device, other);
  const chosen = content.routes.flatMap((index) => pool[index] ?? []).filter(({ family }) => family === 4 || hasIpv6);
  return withRoutesOfAddresses({
    ...node,
    links,
    routes: usable ? [...node.routes, ...chosen, ...(inTheWay.routes ?? [])] : node.routes,
    nextHopObjects: usable ? administratorNextHopObjects(device, other) : [],
    rules: [...kernelRules(links), ...(inTheWay.rules ?? [])],
    neighbours: [
      ...node.neighbours.filter(({ device: name }) => links.some((link) => link.name === name)),
      ...(content.neighbour !== 'none' && lower !== undefined
        ? [{ device, address: '192.0.2.77', macAddress: '02:00:00:00:77:77', states: [content.neighbour] }]
        : []),
      ...(inTheWay.neighbours ?? []),
    ],
    neighbourProxies:
      content.answersForNeighbours && lower !== undefined
        ? [
            { device, address: '192.0.2.78' },
            { device, address: '2001:db8:2::78', router: true },
          ]
        : [],
    switchExternalIds: {
      ...node.switchExternalIds,
      'ovn-bridge-mappings': [node.switchExternalIds['ovn-bridge-mappings'], 'physnet:br-ex', inTheWay.mapping]
        .filter((text) => text !== undefined)
        .join(','),
    },
    sysctls: sysctlsOf(links, content),
    uptimeSeconds: 1000,
  });
}
