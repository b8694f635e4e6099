import type { RoutingDomain } from '../routing-domain/routing-domain.ts';
import { nameSample } from './node-sample.ts';

/** A routing domain as people call it. */
export function routingDomainText(domain: RoutingDomain): string {
  switch (domain.kind) {
    case 'default':
      return 'default';
    case 'own-vrf':
      return domain.vrf === undefined ? 'VRF without a name yet' : `VRF ${domain.vrf}`;
    case 'other-vrf':
      return `VRF ${domain.vrf}`;
    case 'contradiction':
      return `contradictory: ${nameSample(domain.vrfs)}`;
  }
}

/** What is known of a routing domain where only the VRF was reported. */
export function reportedDomainText(vrf: string | undefined): string {
  return vrf === undefined ? 'default' : `VRF ${vrf}`;
}
