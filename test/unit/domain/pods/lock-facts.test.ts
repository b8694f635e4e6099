import { expect } from 'chai';
import { defaultInterfaces } from '../../../../src/domain/pods/default-interfaces.ts';
import { nodeAddresses } from '../../../../src/domain/pods/node-addresses.ts';
import { probedPorts } from '../../../../src/domain/pods/probed-ports.ts';
import { reachableServices } from '../../../../src/domain/pods/reachable-services.ts';
import type { Link } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { pod } from '../brief-objects.ts';

describe('defaultInterfaces', () => {
  const peer = { name: 'veth0', index: 7 };
  const route = { destination: '0.0.0.0/0', gateway: '10.1.0.1', interface: 'eth0' };

  it('are eth0, and what has a default route in its place, but not the interface of the primary network', () => {
    const other = { name: 'veth1', index: 9 };
    const interfaces = [
      { name: 'eth0', peer },
      { name: 'net1', peer: other },
      { name: 'net2', peer: { name: 'veth2', index: 11 } },
    ];
    const found = (routes: (typeof route)[], ifname: string) => defaultInterfaces({ interfaces, routes }, ifname);
    expect(found([], 'net3')).to.deep.equal({ kind: 'found', interfaces: [peer] });
    const moved = { ...route, destination: '::/0', interface: 'net1' };
    expect(found([moved], 'net3')).to.deep.equal({ kind: 'found', interfaces: [peer, other] });
    expect(found([moved], 'net1')).to.deep.equal({ kind: 'found', interfaces: [peer] });
    expect(found([route], 'eth0')).to.deep.equal({ kind: 'found', interfaces: [] });
  });

  it('are not known where one has no other end on the host', () => {
    const without = (interfaces: Parameters<typeof defaultInterfaces>[0]['interfaces']) =>
      defaultInterfaces({ interfaces, routes: [route] }, 'net1');
    expect(without([{ name: 'eth0' }])).to.deep.equal({ kind: 'without-peer', name: 'eth0' });
    expect(without([{ name: 'eth0', peer: { name: '../x', index: 7 } }]).kind).to.equal('without-peer');
    expect(without([{ name: 'eth0', peer }, { name: 'net2' }]).kind).to.equal('found');
  });
});

describe('probedPorts', () => {
  it('are those of probes and hooks of all containers, by number or name, but not those of other hosts', () => {
    const spec = {
      containers: [
        {
          ports: [
            { name: 'web', containerPort: 8080 },
            { name: 'metrics', containerPort: 9090 },
          ],
          livenessProbe: { httpGet: { port: 'web' } },
          readinessProbe: { tcpSocket: { port: 8443 } },
          startupProbe: { grpc: { port: 9000 } },
          lifecycle: { preStop: { httpGet: { port: 8081 } } },
        },
        { livenessProbe: { httpGet: { port: 7000, host: '192.0.2.1' } }, readinessProbe: { httpGet: { port: 'web' } } },
      ],
      initContainers: [{ startupProbe: { httpGet: { port: 8080 } } }],
    };
    expect(probedPorts({ ...pod('web', 'demo', 'worker-a'), spec })).to.deep.equal([8080, 8081, 8443, 9000]);
    expect(probedPorts(pod('web', 'demo', 'worker-a'))).to.deep.equal([]);
  });
});

describe('reachableServices', () => {
  const dns = {
    service: {
      metadata: { name: 'kube-dns' },
      spec: {
        clusterIPs: ['10.96.0.10', 'fd96::a'],
        ports: [
          { name: 'dns', port: 53, protocol: 'UDP' },
          { name: 'metrics', port: 9153, protocol: 'TCP' },
        ],
      },
    },
    slices: [
      {
        metadata: { name: 'kube-dns-x' },
        endpoints: [{ addresses: ['10.244.0.5'] }],
        ports: [
          { name: 'dns', port: 5353, protocol: 'UDP' },
          { name: 'metrics', port: 9153, protocol: 'TCP' },
        ],
      },
    ],
  };

  it('have the addresses of a port, and those behind it', () => {
    expect(reachableServices(dns, 53)).to.deep.equal([
      { protocol: 'udp', address: '10.96.0.10', port: 53 },
      { protocol: 'udp', address: 'fd96::a', port: 53 },
      { protocol: 'udp', address: '10.244.0.5', port: 5353 },
    ]);
    expect(reachableServices(dns)).to.have.length(6);
  });

  it('have none of what has no address, no endpoint or another protocol', () => {
    const nowhere = {
      service: { metadata: { name: 'x' }, spec: { clusterIPs: ['None'], ports: [{ port: 53 }] } },
      slices: [{ metadata: { name: 'x' }, endpoints: null, ports: null }],
    };
    expect(reachableServices(nowhere, 53)).to.deep.equal([]);
    const ports = [{ port: 53, protocol: 'SCTP' }];
    const spec = { clusterIPs: ['10.96.0.10'], ports };
    expect(reachableServices({ service: { metadata: { name: 'x' }, spec }, slices: [] })).to.deep.equal([]);
  });
});

describe('nodeAddresses', () => {
  it('are those of all interfaces, without loopback, addresses of one link, and those of Services', () => {
    const link = (name: string, ...addresses: readonly string[]): Link =>
      ({ name, addresses: addresses.map((address) => ({ address, prefixLength: 24, scope: 'global' })) }) as never;
    const links = [
      link('lo', '127.0.0.1', '::1'),
      link('eth0', '192.0.2.7', 'fe80::1', '2001:db8::7'),
      link('veth0', '10.244.0.1'),
      link('veth1', '10.244.0.1', 'fe80::2'),
      link('kube-ipvs0', '10.96.0.1'),
    ];
    expect(nodeAddresses(links)).to.deep.equal(['10.244.0.1', '192.0.2.7', '2001:db8::7']);
  });

  it('are not those in the VRFs of networks, which come and go with networks', () => {
    const link = (name: string, address: string, master?: string): Link =>
      ({ name, addresses: [{ address, prefixLength: 24 }], ...(master !== undefined && { master }) }) as never;
    const links = [
      link('eth0', '192.0.2.7'),
      link('ovn-k8s-mp0', '10.244.0.2'),
      link('mgmt0', '198.51.100.7', 'management'),
      link('ovn-k8s-mp1', '10.20.0.2', 'blue'),
      link('br-blue', '203.0.113.6', 'blue'),
      link('blue', '169.254.0.2'),
    ];
    expect(nodeAddresses(links)).to.deep.equal(['10.244.0.2', '192.0.2.7', '198.51.100.7']);
  });
});
