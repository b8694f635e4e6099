import { expect } from 'chai';
import { Administrator } from '../../kubernetes/administrator.ts';
import { TestApiServer } from '../../kubernetes/api-server.ts';
import { LabNetwork } from '../lab-network.ts';
import { Machine } from '../machine.ts';
import type { LabNode } from '../node.ts';
import { PORT } from '../packets/exchange.ts';
import { KubeProxy, NodeCoreDns } from './node-programs.ts';
import { serviceObjects } from './service-objects.ts';
import {
  answering,
  endpoint,
  lookup,
  NODE_ADDRESS,
  podSubnets,
  refusals,
  serviceNode,
  silent,
} from './service-node.ts';

const PROXY = 'service.kubernetes.io/service-proxy-name';

/** Services by name, with their ClusterIPs, labels and endpoints. */
const services = {
  usual: { addresses: ['10.96.0.50', 'fd96::50'], labels: {}, endpoints: endpoint },
  labelled: { addresses: ['10.96.0.51', 'fd96::51'], labels: { [PROXY]: 'ovn-uplinks' }, endpoints: endpoint },
  empty: { addresses: ['10.96.0.52', 'fd96::52'], labels: {}, endpoints: [] },
} as const;

/** The ClusterIP of DNS, and the address of the node on which CoreDNS runs. */
const dnsAddress = '10.96.0.10';
const dnsEndpoint = '10.244.2.53';

describe('real kube-proxy on a node', () => {
  let network: LabNetwork;
  let machine: Machine;
  let server: TestApiServer;
  let node: LabNode;
  before(async () => {
    network = await LabNetwork.start();
    [machine, server] = await Promise.all([Machine.start({ network }), TestApiServer.start(network)]);
    const administrator = await Administrator.of(server);
    const addresses = [{ type: 'InternalIP', address: NODE_ADDRESS }];
    await administrator.apply({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'worker-a' },
      status: { addresses },
    });
    administrator.close();
    for (const [name, service] of Object.entries(services))
      server.apply(...serviceObjects(name, { ...service, port: PORT }));
    const dns = { addresses: [dnsAddress], labels: {}, endpoints: [dnsEndpoint], port: 53 };
    server.apply(...serviceObjects('dns', dns));
    node = await serviceNode(
      machine,
      Object.values(services).flatMap(({ addresses: own }) => own),
    );
    await NodeCoreDns.start(node, server, [dnsEndpoint]);
  });
  after(async () => {
    await machine.stop();
    await server.stop();
    await network.stop();
  });

  const label = (value: string) => server.kubectl(['label', 'service/usual', `${PROXY}${value}`]);

  /** The fate of packets to ClusterIPs that kube-proxy does not serve: mode nftables drops them, also those that the node itself sends. */
  const others = { iptables: 'router', nftables: 'none' } as const;

  for (const mode of ['iptables', 'nftables'] as const)
    describe(`in mode ${mode}`, () => {
      const unserved = mode === 'iptables' ? answering : silent;
      let proxy: KubeProxy;
      before(async () => {
        proxy = await KubeProxy.start(node, server, mode, podSubnets);
      });
      after(() => proxy.stop());

      it('serves a Service', async () => {
        expect(await answering(node, services.usual.addresses)).to.deep.equal(['server']);
      });

      it('refuses one without endpoints', async () => {
        expect(await refusals(node, services.empty.addresses)).to.deep.equal(['[Errno 111] Connection refused']);
      });

      const passes = mode === 'nftables' ? 'drops what is sent to' : 'leaves to the routes what is sent to';
      it(`does not serve one with the label that names another proxy, and ${passes} it`, async () => {
        expect(await unserved(node, services.labelled.addresses)).to.deep.equal([others[mode]]);
      });

      it('ceases to serve one that gets the label later, and serves it again without it', async () => {
        const { addresses } = services.usual;
        const before = await proxy.logLength();
        label('=ovn-uplinks');
        await proxy.untilSynchronized(before, 'Removing service port"[^\\n]*default/usual');
        expect(await unserved(node, addresses)).to.deep.equal([others[mode]]);
        const labelled = await proxy.logLength();
        label('-');
        await proxy.untilSynchronized(labelled, 'Adding new service port"[^\\n]*default/usual');
        expect(await answering(node, addresses)).to.deep.equal(['server']);
      });

      it('lets a pod look up names by the ClusterIP of CoreDNS', async () => {
        const found = await lookup(node, 'usual.default.svc.cluster.local', dnsAddress);
        expect(found).to.include(services.usual.addresses[0]);
      });

      it('leaves nothing of a Service with the label in its rules', async () => {
        const rules = await node.does(['nft', 'list', 'ruleset']);
        expect(rules).to.include(services.usual.addresses[0]);
        for (const address of services.labelled.addresses) expect(rules).not.to.include(address);
      });
    });
});
