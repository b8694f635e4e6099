import { expect } from 'chai';
import { outsidePorts } from '../../../../src/domain/services/exposed-ports.ts';
import { judgedOutsideAddresses } from '../../../../src/domain/services/exposed-addresses.ts';
import { service } from '../brief-services.ts';

type Brief = Parameters<typeof service>[2];

const both = { 4: '192.0.2.6', 6: '2001:db8::6' } as const;

/** Ports as texts: protocol, address and port, with the port of the Service behind it, and from where it is reached. */
function portsOf(brief: Brief, addresses: { readonly 4?: string; readonly 6?: string } = both): readonly string[] {
  const exposed = service('web', 'blue', { ports: [{ port: 80, nodePort: 30_080 }], ...brief });
  const judged = judgedOutsideAddresses(exposed, { externalIps: ['203.0.113.0/24'], ownerOf: () => undefined });
  return outsidePorts(exposed, judged, addresses).map(
    ({ protocol, address, port, servicePort, sources, isOfService }) =>
      [
        `${protocol} ${address} ${String(port)} to ${String(servicePort.port)}`,
        ...(isOfService ? [] : ['of the uplink']),
        ...(sources === undefined ? [] : [`from ${sources.join(' ')}`]),
      ].join(', '),
  );
}

describe('the ports of a Service that are reached from outside', () => {
  for (const { where, brief, addresses, expected } of [
    { where: 'it has none', brief: {}, expected: [] },
    {
      where: 'it has a node port, in one family',
      brief: { type: 'NodePort' },
      expected: ['tcp 192.0.2.6 30080 to 80, of the uplink'],
    },
    {
      where: 'it has both families',
      brief: { type: 'NodePort', clusterIPs: ['fd96::a', '10.96.0.10'] },
      expected: ['tcp 192.0.2.6 30080 to 80, of the uplink', 'tcp 2001:db8::6 30080 to 80, of the uplink'],
    },
    {
      where: 'its network has no uplink on the node',
      brief: { type: 'NodePort' },
      addresses: {},
      expected: [],
    },
    {
      where: 'its uplink has no address of the family',
      brief: { type: 'NodePort', ipFamilies: ['IPv6'] },
      addresses: { 4: '192.0.2.6' },
      expected: [],
    },
    {
      where: 'it has a load balancer that gives addresses, with node ports and without',
      brief: {
        type: 'LoadBalancer',
        ports: [
          { name: 'dns', protocol: 'UDP', port: 53, nodePort: 30_053 },
          { name: 'web', port: 80 },
        ],
        ingress: [{ ip: '192.0.2.50' }],
      },
      expected: ['udp 192.0.2.6 30053 to 53, of the uplink', 'udp 192.0.2.50 53 to 53', 'tcp 192.0.2.50 80 to 80'],
    },
    {
      where: 'its ports are none, or of a protocol that OVN does not balance',
      brief: {
        type: 'NodePort',
        ports: [
          { port: 0, nodePort: 0 },
          { port: 65_536, nodePort: 65_536 },
          { protocol: 'DCCP', port: 80, nodePort: 30_080 },
          { protocol: 'SCTP', port: 80, nodePort: 30_081 },
        ],
      },
      expected: ['sctp 192.0.2.6 30081 to 80, of the uplink'],
    },
    { where: 'it has no ports', brief: { type: 'NodePort', ports: [] }, expected: [] },
    {
      where: 'it has source ranges, which are about addresses of load balancers alone',
      brief: {
        type: 'LoadBalancer',
        ingress: [{ ip: '192.0.2.50' }],
        externalIPs: ['203.0.113.9'],
        loadBalancerSourceRanges: ['10.0.0.0/8', '2001:db8::/32', '10.1.0.0/16'],
      },
      expected: [
        'tcp 192.0.2.6 30080 to 80, of the uplink',
        'tcp 192.0.2.50 80 to 80, from 10.0.0.0/8',
        'tcp 203.0.113.9 80 to 80',
      ],
    },
    {
      where: 'its ranges are of the other family, or all addresses',
      brief: {
        type: 'LoadBalancer',
        ports: [{ port: 80 }],
        ingress: [{ ip: '192.0.2.50' }, { ip: '2001:db8::50' }],
        loadBalancerSourceRanges: ['::/0'],
      },
      expected: ['tcp 192.0.2.50 80 to 80', 'tcp 2001:db8::50 80 to 80'],
    },
    {
      where: 'an address is refused',
      brief: { externalIPs: ['198.51.100.9'] },
      expected: [],
    },
    {
      where: 'its type is one without node ports, though it has some left',
      brief: { type: 'ClusterIP' },
      expected: [],
    },
  ] satisfies readonly {
    where: string;
    brief: Brief;
    addresses?: { readonly 4?: string; readonly 6?: string };
    expected: readonly string[];
  }[])
    it(`are ${expected.join('; ') || 'none'} where ${where}`, () => {
      expect(portsOf(brief, addresses)).to.deep.equal(expected);
    });
});
