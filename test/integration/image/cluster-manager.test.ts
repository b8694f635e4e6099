import { expect } from 'chai';
import { clusterOf } from '../lab/clusters.ts';
import { LabNetwork } from '../lab/lab-network.ts';
import { Administrator } from '../kubernetes/administrator.ts';
import { TestApiServer } from '../kubernetes/api-server.ts';
import { ApiUser, CONFIG, kindsServed, tokenOnNode } from '../kubernetes/served-config.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { HostContainer } from './host-container.ts';
import { type Pod, podOf, probeTarget } from './pod.ts';
import { privileges, privilegesOf, residentMemory } from './process-status.ts';
import { unpackedImage } from './unpacked-image.ts';

describe('the cluster manager, from the image as its Deployment has it,', () => {
  let network: LabNetwork;
  let server: TestApiServer;
  let administrator: Administrator;
  let pod: Pod;
  let container: HostContainer | undefined;
  let started: number;

  before(async () => {
    network = await LabNetwork.start();
    server = await TestApiServer.start(network);
    const manifests = server.kubectl(['kustomize', CONFIG]);
    server.kubectl(['apply', '--server-side', '--validate=strict', '--filename=-'], manifests);
    await kindsServed(server);
    administrator = await Administrator.of(server);
    const { nodes, uplinks, clusterUserDefinedNetworks } = clusterOf([{ name: 'blue', device: 'br-blue' }]);
    for (const object of [...nodes, ...uplinks, ...clusterUserDefinedNetworks]) await administrator.apply(object);

    pod = podOf(manifests, 'Deployment');
    const user = await ApiUser.of(server);
    const token = await tokenOnNode(user, 'ovn-uplinks-cluster-manager', 'worker-a');
    user.close();
    const image = unpackedImage();
    started = performance.now();
    const serviceAccount = { token, 'ca.crt': server.certificate, namespace: 'ovn-uplinks' };
    container = await HostContainer.start({ image, pod, apiServer: server, serviceAccount, network });
  });
  after(async () => {
    await container?.stop();
    administrator.close();
    await server.stop();
    await network.stop();
  });

  it('sets conditions', () => {
    server.kubectl(['wait', '--for=condition=Degraded', 'uplink/uplink-0', '--timeout=60s']);
    console.log(`      ${Math.round(performance.now() - started)} ms from its start`);
  });

  it('answers its probes', async () => {
    const [manager] = pod.spec.containers;
    for (const probe of [manager.livenessProbe, manager.readinessProbe]) {
      const target = new URL(probeTarget(manager, probe, network.address));
      const port = await network.reach(target.hostname, Number(target.port));
      await eventually(`${target.pathname} answers`, async () => {
        const response = await fetch(`http://127.0.0.1:${port}${target.pathname}`);
        return response.status === 200;
      });
    }
  });

  it('has no privileges', () => {
    expect(privileges(container!.status)).to.deep.equal(privilegesOf(65532, []));
    console.log(`      ${residentMemory(container!.status)} MiB resident`);
  });

  it('cannot write to any file', () => {
    const program = `
      const { writeFileSync } = require('node:fs');
      for (const file of ['/file', '/tmp/file', '/run/file', '/etc/ovn-uplinks/settings.yaml']) {
        try { writeFileSync(file, ''); console.log(file); } catch {}
      }`;
    expect(container!.execute('node', '--eval', program)).to.equal('');
  });

  it('plans its cluster with kubectl exec, without options', () => {
    expect(container!.execute('ovn-uplinks', 'plan')).to.include('uplink-0');
  });

  it('ends on SIGTERM', async () => {
    expect(await container!.end()).to.equal(0);
  });
});
