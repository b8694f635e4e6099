import { expect } from 'chai';
import { CONFIG, configWith } from '../kubernetes/served-config.ts';
import { cluster, workerA } from '../lab/cluster/cluster-nodes.ts';
import { LabCluster } from '../lab/cluster/lab-cluster.ts';
import { ip } from '../lab/commands.ts';
import type { LabNode } from '../lab/node.ts';
import { expectAnswers, podsAndHosts } from '../lab/packets/clients.ts';
import { LabContainer } from './lab-container.ts';
import { type Pod, podOf, probeTarget, withCapabilities, withContainer } from './pod.ts';
import { privileges, privilegesOf, residentMemory } from './process-status.ts';
import { unpackedImage, type UnpackedImage } from './unpacked-image.ts';

/** Where the node has the files of the agent's service account. */
const SERVICE_ACCOUNT = '/run/secrets/kubernetes.io/serviceaccount';

/** Messages that an agent logs if it lacks a capability. */
const refusals: Readonly<Record<string, string>> = {
  NET_ADMIN: 'Operation not permitted',
  DAC_OVERRIDE: 'permission denied',
};

describe('the agent, from the image as its DaemonSet has it,', () => {
  let lab: LabCluster;
  let node: LabNode;
  let image: UnpackedImage;
  let pod: Pod;
  let container: LabContainer;

  const start = async (which: Pod) => {
    container = await LabContainer.start(node, image, which, {
      cluster: { serviceAccount: SERVICE_ACCOUNT, apiServer: lab.server },
    });
  };

  before(async () => {
    image = unpackedImage();
    lab = await LabCluster.start();
    await lab.install();
    pod = podOf(lab.server.kubectl(['kustomize', CONFIG]), 'DaemonSet');
    node = await lab.newNode(workerA);
    await lab.newToken(node);
    await lab.apply({ ...cluster, nodes: cluster.nodes.filter(({ metadata }) => metadata.name === node.name) });
    await lab.startManager();
    // As where Open vSwitch runs as a user of its own.
    const sockets = ['/run/openvswitch', '/run/ovn'];
    await node.does(
      ['/bin/busybox', 'chown', '-R', '801:801', ...sockets],
      ['/bin/busybox', 'chmod', '-R', 'o=', ...sockets],
    );
    const begin = performance.now();
    await start(pod);
    await container.untilLogged('reconciling the node');
    console.log(`      ${Math.round(performance.now() - begin)} ms until it observes the node and the cluster`);
  });
  after(() => lab.stop());

  it('carries the packets of networks', async () => {
    lab.server.kubectl(['wait', '--for=condition=UplinksReady', 'cudn', '--all', '--timeout=90s']);
    await expectAnswers(node, podsAndHosts(workerA.tenants), { protocol: 'tcp', rounds: 20 });
  });

  it('answers its probes, on the loopback interface of the node', async () => {
    const [agent] = pod.spec.containers;
    for (const probe of [agent.livenessProbe, agent.readinessProbe]) {
      const ask = `import urllib.request as r; print(r.urlopen("${probeTarget(agent, probe, node.name)}").status)`;
      expect(await node.does(['python3', '-c', ask])).to.equal('200\n');
    }
  });

  it('has the capabilities that it is given, and no others', async () => {
    const { capabilities } = pod.spec.containers[0].securityContext;
    const status = await container.status();
    expect(privileges(status)).to.deep.equal(privilegesOf(0, capabilities.add ?? []));
    console.log(`      ${residentMemory(status)} MiB resident`);
  });

  it('cannot write to any file but its ledger and the settings of the network', async () => {
    const program = `
      const { accessSync, writeFileSync } = require('node:fs');
      for (const file of ['/file', '/tmp/file', '/run/file', '/run/openvswitch/file', '/run/ovn/file', '/etc/ovn-uplinks/settings.yaml']) {
        try { writeFileSync(file, ''); console.log(file); } catch {}
      }`;
    expect(await container.execute('node', '--eval', program)).to.deep.equal({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('prints with kubectl exec what packets meet, without options for the cluster', async () => {
    const { stdout, stderr, exitCode } = await container.execute('ovn-uplinks', 'flows', node.name, '--local');
    expect(exitCode, stderr).to.equal(0);
    expect(stdout).to.include('br-blue');
  });

  it('ends on SIGTERM, and its node keeps working', async () => {
    expect(await container.stop()).to.deep.equal({ exitCode: 0 });
    await expectAnswers(node, podsAndHosts(workerA.tenants), { protocol: 'tcp', rounds: 5 });
  });

  it('needs each of its capabilities', async () => {
    const { add = [] } = pod.spec.containers[0].securityContext.capabilities;
    expect(add).to.have.members(Object.keys(refusals));
    await node.does(ip`link delete blue`);
    for (const [capability, refusal] of Object.entries(refusals)) {
      const others = add.filter((name) => name !== capability);
      await start(withCapabilities(pod, others));
      await container.untilLogged(refusal);
      await container.stop();
    }
  });

  it('is preceded by the CNI plugin, with the component networks, which needs no capabilities', async () => {
    const whole = podOf(lab.server.kubectl(['kustomize', configWith('networks')]), 'DaemonSet');
    const installing = withContainer(whole, 'cni-plugin');
    expect(installing.spec.containers[0].securityContext.capabilities.add).to.equal(undefined);
    const installed = '/opt/cni/bin/ovn-uplinks-cni';
    // The lab cannot write to the folder of the machine.
    await node.does(['/bin/busybox', 'mount', '-t', 'tmpfs', 'tmpfs', '/opt']);
    for (const said of ['is written', 'is unchanged']) {
      await start(installing);
      await container.untilLogged(`${installed} ${said}`);
      expect(await container.exit()).to.deep.equal({ exitCode: 0 });
    }
    const asked = { input: '{"cniVersion":"1.1.0"}' };
    const { stdout } = await node.run(['/bin/busybox', 'env', 'CNI_COMMAND=VERSION', installed], asked);
    expect(JSON.parse(stdout)).to.include({ cniVersion: '1.1.0' });
  });

  it('finds OVN in the folder of Open vSwitch, and is monitored, with those components', async () => {
    // As where both run in pods.
    await node.does(
      ['ln', '/run/ovn/ovnnb_db.sock', '/run/openvswitch/ovnnb_db.sock'],
      ['mv', '/run/ovn', '/run/elsewhere'],
    );
    await start(
      podOf(lab.server.kubectl(['kustomize', configWith('openvswitch-daemon-set', 'monitoring')]), 'DaemonSet'),
    );
    await container.untilLogged('settled');
    await expectAnswers(node, podsAndHosts(workerA.tenants), { protocol: 'tcp', rounds: 5 });
    const ask = `import urllib.request as r; print(r.urlopen("http://${workerA.address}:9477/metrics").read().decode())`;
    expect(await node.does(['python3', '-c', ask])).to.include('ovn_uplinks_networks{reason="Ready"} 2\n');
  });
});
