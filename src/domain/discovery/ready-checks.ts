import { addresses } from './addresses.ts';
import { bridge } from './bridge.ts';
import { bridgeName } from './bridge-name.ts';
import { bridgeRole } from './bridge-role.ts';
import type { Check, Discovery, DiscoveryInput, Evidence, UplinkFacts } from './discovery.ts';
import { hostInterface } from './host-interface.ts';
import { hostPort } from './host-port.ts';
import { hostVlan } from './host-vlan.ts';
import { linkState } from './link-state.ts';
import { macAddress } from './mac-address.ts';
import { mtu } from './mtu.ts';
import { physicalPort } from './physical-port.ts';
import { accessVlanOf } from './port-vlans.ts';

/**
 * The checks of condition Ready, in the order in which a person would fix what they find: first the host's interface, then the way from it
 * to the wire, last the MTU (docs/design/api-decisions.md, "Ready"). The first failure is reported, and what was found
 * before it is still published.
 */
export const readyChecks = checksInOrder([
  hostInterface,
  macAddress,
  linkState,
  addresses,
  bridge,
  bridgeRole,
  bridgeName,
  hostPort,
  hostVlan,
  physicalPort,
  mtu,
]);

/** Whether the checks before each check provide its input; `never` for one that is too early. */
type Ordered<Checks extends readonly unknown[], Before> = Checks extends readonly [infer First, ...infer Rest]
  ? First extends Check<infer Needs, infer Gives>
    ? readonly [Before extends Needs ? First : never, ...Ordered<Rest, Before & Gives>]
    : never
  : readonly [];

function checksInOrder<const Checks extends readonly Check<never, object>[]>(
  checks: Checks & Ordered<Checks, object>,
): Checks {
  return checks;
}

function factsOf({
  macAddress: mac,
  ipAddresses,
  defaultGateways,
  bridge: switchBridge,
  hostPort: portToHost,
  hostPortInterface,
  physicalPort: port,
  physicalInterface,
  narrowest,
}: Evidence): UplinkFacts {
  const vlan = portToHost && accessVlanOf(portToHost);
  return {
    ...(mac !== undefined && { macAddress: mac }),
    ...(ipAddresses && { ipAddresses }),
    ...(defaultGateways && { defaultGateways }),
    ...(switchBridge && { bridge: switchBridge.name }),
    ...(hostPortInterface !== undefined && { hostPort: hostPortInterface }),
    ...(vlan !== undefined && { vlan }),
    ...(port !== undefined && { physicalPort: port }),
    ...(physicalInterface !== undefined && { physicalInterface }),
    ...(narrowest && { narrowest }),
  };
}

/** Runs the checks of an uplink on a node, up to the first failure. */
export function discover(input: DiscoveryInput): Discovery {
  let evidence: Evidence = {};
  for (const check of readyChecks) {
    // `checksInOrder` ensures that the checks before it found what a check needs.
    const outcome = check.run(input, evidence as never);
    if (!outcome.ok) return { facts: factsOf(evidence), failure: outcome.failure };
    evidence = { ...evidence, ...outcome.found };
  }
  return { facts: factsOf(evidence) };
}
