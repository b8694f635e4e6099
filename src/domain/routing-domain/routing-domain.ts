/**
 * In which routing domain is a network on a node: the default one, or which VRF? (OKEP-6019, RouteAdvertisements interaction)
 */
import { distinct } from '../basics/names/ordering.ts';
import { type EffectiveAdvertisement, frrConfigurationName } from './advertisement.ts';

/** The RouteAdvertisements that had a say, and by which FRRConfigurations. */
export interface DecidingAdvertisement {
  readonly routeAdvertisements: string;
  /** The target as the object has it; `default` where the object names none. */
  readonly targetVrf: string;
  /** `namespace/name` of each. */
  readonly frrConfigurations: readonly string[];
}

/** A network's routing domain on a node. */
export type RoutingDomain =
  | { readonly kind: 'default' }
  /** The network's own VRF; the name is absent while it depends on an id that is not allocated. */
  | { readonly kind: 'own-vrf'; readonly vrf?: string }
  /** A VRF that is not ours and never made by us. */
  | { readonly kind: 'other-vrf'; readonly vrf: string }
  /** Two or more VRFs are asked for at once. */
  | { readonly kind: 'contradiction'; readonly vrfs: readonly string[] };

/** A decision and what decided it. */
export interface RoutingDomainDecision {
  readonly domain: RoutingDomain;
  readonly decidedBy: readonly DecidingAdvertisement[];
}

/** The meaning of the target of an advertisement for a network: the network's own VRF may be called by its name as well. */
function targetOf(targetVrf: string, ownVrf: string | undefined): string {
  return targetVrf === ownVrf ? 'auto' : targetVrf;
}

/**
 * Decides a network's routing domain on a node from the advertisements that apply there.
 *
 * No advertisement, or any that targets the default VRF, selects the default domain; otherwise all must name one VRF.
 */
export function routingDomain(
  effective: readonly EffectiveAdvertisement[],
  ownVrf: string | undefined,
): RoutingDomainDecision {
  const decidedBy = effective.map(({ routeAdvertisements, frrConfigurations }) => ({
    routeAdvertisements: routeAdvertisements.metadata.name,
    targetVrf: routeAdvertisements.spec.targetVRF || 'default',
    frrConfigurations: frrConfigurations.map(frrConfigurationName),
  }));
  const targets = distinct(decidedBy.map(({ targetVrf }) => targetOf(targetVrf, ownVrf)));
  return { domain: domainOf(targets, ownVrf), decidedBy };
}

function domainOf(targets: readonly string[], ownVrf: string | undefined): RoutingDomain {
  const [target, ...others] = targets;
  if (target === undefined || targets.includes('default')) return { kind: 'default' };
  if (others.length > 0) {
    return {
      kind: 'contradiction',
      vrfs: distinct(targets.map((name) => (name === 'auto' ? (ownVrf ?? name) : name))),
    };
  }
  if (target !== 'auto') return { kind: 'other-vrf', vrf: target };
  return ownVrf === undefined ? { kind: 'own-vrf' } : { kind: 'own-vrf', vrf: ownVrf };
}
