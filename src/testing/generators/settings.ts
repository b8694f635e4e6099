import fc from 'fast-check';
import { defaultSettings, type NodeSettings } from '../../domain/snapshot/settings.ts';

/** Mostly another program provides networks. */
function providedBy(number: number): NodeSettings['providedNetworks'] {
  if (number < 11) return 'none';
  return number === 15 ? 'with-uplinks' : 'all';
}

/** Leaving by the node, also for metadata of clouds: by a link-local address, and by another one. */
export const LEAVING_FOR_METADATA: Partial<NodeSettings> = {
  egress: 'node',
  clusterCidrs: ['10.244.0.0/16'],
  egressAllow: ['169.254.169.254/32', '168.63.129.16/32'],
};

/** Of the networks that are provided, those of half leave by the node, and others by an Uplink although they name none. */
function leavingBy(number: number): Partial<NodeSettings> {
  if (number < 12) return {};
  if (number === 13) return { egress: 'uplink=uplink-a' };
  if (number === 14) return LEAVING_FOR_METADATA;
  return number % 2 === 0 ? { egress: 'node', clusterCidrs: ['10.244.0.0/16'] } : {};
}

/** Settings of a node: mostly those of OVN-Kubernetes itself. */
export const settings: fc.Arbitrary<NodeSettings> = fc
  .record({
    dynamicNetworks: fc.nat({ max: 3 }).map((number) => number === 3),
    local: fc.integer({ min: 0, max: 31 }),
    ipv6Services: fc.boolean(),
    provided: fc.nat({ max: 15 }),
  })
  .map(({ dynamicNetworks, local, ipv6Services, provided }) => ({
    ...defaultSettings,
    dynamicNetworks,
    providedNetworks: providedBy(provided),
    ...leavingBy(provided),
    gatewayMode: local === 31 ? ('local' as const) : ('shared' as const),
    ...(ipv6Services && { serviceCidrs: [...defaultSettings.serviceCidrs, 'fd10:96::/112'] }),
  }));
