/** Properties of networks that this version does not support: for uplinks, and to provide a network. */
import type { ClusterSettings } from '../snapshot/settings.ts';
import type { Network } from './network.ts';

/** A property of a network that this version does not support. */
export interface UnsupportedPart {
  readonly part: 'topology' | 'role' | 'transport';
  readonly found: string;
}

/** Whether a property of a network is supported. */
type IsSupported = (found: string | undefined) => boolean;

const isOneOf =
  (...values: readonly (string | undefined)[]): IsSupported =>
  (found) =>
    values.includes(found);

/** The properties that have to be supported, in the order in which they are reported. */
const supported: Readonly<Record<'uplinks' | 'whole', readonly (readonly [UnsupportedPart['part'], IsSupported])[]>> = {
  // OKEP-6019, CUDN validation and status: other implementations provide these, and have their own transports.
  uplinks: [
    ['transport', (transport) => transport !== 'EVPN'],
    ['topology', isOneOf('Layer2', 'Layer3')],
    ['role', isOneOf('Primary')],
  ],
  whole: [
    ['topology', isOneOf('Layer3')],
    ['role', isOneOf('Primary')],
    ['transport', isOneOf(undefined, 'Geneve')],
  ],
};

function unsupportedIn(network: Network, what: keyof typeof supported): UnsupportedPart | undefined {
  const found = {
    topology: network.topology === 'other' ? network.topologyName : network.topology,
    role: network.role,
    transport: network.transport,
  };
  return supported[what]
    .filter(([part, isSupported]) => !isSupported(found[part]))
    .map(([part]) => ({ part, found: found[part] ?? 'unset' }))[0];
}

/** Why this version does not provide a network; undefined if it does: primary Layer3 networks by Geneve. */
export function unsupportedPart(network: Network): UnsupportedPart | undefined {
  return unsupportedIn(network, 'whole');
}

/** Why a network cannot have uplinks at all, on any node. */
export type UnsupportedUplinks =
  | { readonly reason: 'UplinkUnsupportedGatewayMode' }
  | { readonly reason: 'UplinkUnsupportedTransport'; readonly found: string };

/**
 * Why a network's uplinks cannot work in this cluster; undefined if they can.
 *
 * The API server refuses uplinks on other topologies, roles and on EVPN. An object that was stored before that rule is judged here, and
 * for lack of a reason of their own the first two share the transport's.
 */
export function unsupportedUplinks(network: Network, settings: ClusterSettings): UnsupportedUplinks | undefined {
  if (settings.gatewayMode === 'local') return { reason: 'UplinkUnsupportedGatewayMode' };
  const unsupported = unsupportedIn(network, 'uplinks');
  if (unsupported === undefined) return undefined;
  const { part, found } = unsupported;
  return {
    reason: 'UplinkUnsupportedTransport',
    found: part === 'transport' ? `${found} transport` : `${part} ${found}`,
  };
}
