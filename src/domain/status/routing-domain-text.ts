import type { RoutingDomain } from '../routing-domain/routing-domain.ts';
import { nameSample } from './node-sample.ts';

/** A routing domain as text. */
export function routingDomainText(domain: RoutingDomain): string {
  switch (domain.kind) {
    case 'default':
      return 'default';
    case 'own-vrf':
      return domain.vrf === undefined ? 'own VRF, not named yet' : `VRF ${domain.vrf}`;
    case 'other-vrf':
      return `VRF ${domain.vrf}`;
    case 'contradiction':
      return `conflicting VRFs: ${nameSample(domain.vrfs)}`;
  }
}

/** The routing domain that a node reported by the VRF alone. */
export function reportedDomainText(vrf: string | undefined): string {
  return vrf === undefined ? 'default' : `VRF ${vrf}`;
}
