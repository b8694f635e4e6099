import { OWN_ROUTE_PROTOCOL } from '../../basics/conventions.ts';

/**
 * Rtnetlink protocols whose routes another program restores: redirects, routing daemons and OVN-Kubernetes. What the kernel restores is not lost at
 * all (node-model/cycle.ts). By number and by name in rt_protos, since ip prints either (docs/design/field-facts.md, "Rtnetlink protocols").
 */
const selfRestoring: ReadonlySet<string> = new Set(
  [
    ['redirect', '1'],
    ['zebra', '11'],
    ['babel', '42'],
    ['ovn', '84'],
    ['ovn-kubernetes', 'ovnk', '85'],
    ['bgp', '186'],
    ['isis', '187'],
    ['ospf', '188'],
    ['rip', '189'],
    ['ripng', '190'],
    ['nhrp', '191'],
    ['eigrp', '192'],
    // FRR's other daemons (zebra/rt_netlink.h), whose names in rt_protos are not fixed: ldp, sharp, pbr, static, openfabric, srte.
    ['193', '194', '195', '196', '197', '198'],
    [OWN_ROUTE_PROTOCOL],
  ].flat(),
);

/** Whether entities of a protocol are restored by their owner, or are managed and planned again. */
export function isRestoredByOwner(protocol: string): boolean {
  return selfRestoring.has(protocol);
}
