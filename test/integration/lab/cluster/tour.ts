import { kubernetesProgram } from '../../kubernetes/api-server.ts';
import type { LabNode } from '../node.ts';
import { openShell, PROGRAMS } from '../node-shell.ts';
import { installCommand, isTerminal, print, showPackets, timed } from '../tour-packets.ts';
import { cluster, workerA, workerB } from './cluster-nodes.ts';
import { LabCluster } from './lab-cluster.ts';

const places = [workerA, workerB];

/** Where kubectl and ovn-uplinks on the node find the cluster. */
const KUBECONFIG = '/run/kubeconfig';

const overview = ['get', 'uplinks,uplinkstates,cudn'];

/** What a person may want to do next. */
const suggestions = [
  `kubectl ${overview.join(' ')}`,
  'kubectl describe uplinkstate uplink-0.worker-b',
  'kubectl get events',
  'kubectl delete uplink uplink-0 --wait=false   # it stays until its network is gone: kubectl delete cudn blue',
  'ip netns exec blue-pod ping 198.51.100.200',
  `ovn-uplinks explain blue worker-a --kubeconfig ${KUBECONFIG}`,
  'ip link set eth-red down                      # and what the cluster says of it: kubectl get uplinks -o wide',
  'less /run/agent.log                           # what the agent of this node has done',
];

/** Puts kubectl where a shell on a node finds it, with the rights of an administrator. */
async function installKubectl(node: LabNode, kubeconfig: string): Promise<void> {
  const program = `${PROGRAMS}/kubectl`;
  await node.write(KUBECONFIG, kubeconfig);
  await node.write(program, `#!/bin/sh\nexec '${kubernetesProgram('kubectl')}' --kubeconfig=${KUBECONFIG} "$@"\n`);
  await node.does(['/bin/busybox', 'chmod', '+x', program]);
}

/** Two nodes of a cluster with a real API server, as in production, each with both tenants. Returns an exit status. */
export async function tourOfCluster(): Promise<number> {
  print(
    'Two tenants of a cluster with two nodes. On each node they have the same subnet of pods, the same uplink address and the same provider',
    'address, each with a bridge, a wire and a VRF of its own. Objects are in a Kubernetes API server, as in production.',
    '',
  );
  const begin = performance.now();
  const lab = await timed('kube-apiserver and etcd', () => LabCluster.start());
  try {
    await timed('kubectl apply -k config', () => lab.install());
    const nodes = await timed(
      'Two machines: Open vSwitch, OVN, bridges, providers, the networks as OVN-Kubernetes makes them',
      () => Promise.all([lab.newNode(workerA, isTerminal ? 'terminal' : 'kept'), lab.newNode(workerB)]),
    );
    await timed('The objects of the tenants', () => lab.apply(cluster));
    await timed(
      'Cluster manager, and agents on both nodes: kubectl wait --for=condition=UplinksReady cudn --all',
      async () => {
        await lab.startManager();
        for (const node of nodes) {
          await lab.newToken(node);
          await lab.startAgent(node);
        }
        lab.server.kubectl(['wait', '--for=condition=UplinksReady', 'cudn', '--all', '--timeout=120s']);
      },
    );
    print('', `$ kubectl ${overview.join(' ')}`, ...lab.server.kubectl(overview).trimEnd().split('\n'));
    let isRight = true;
    for (const [index, node] of nodes.entries()) {
      print('', `On ${node.name}:`);
      isRight = (await showPackets(node, places[index]?.tenants ?? [])) && isRight;
    }
    const seconds = Math.round((performance.now() - begin) / 1000);
    print(
      '',
      `${isRight ? 'Each has reached its own provider, on its own wire' : 'This is not as it should be'}, after ${seconds} s.`,
    );
    const [node] = nodes;
    if (isTerminal) {
      await installCommand(node);
      await installKubectl(node, lab.server.kubeconfigInNetwork);
      print(
        '',
        `This is a shell on ${node.name}; "exit" ends it. To try:`,
        ...suggestions.map((line) => `  ${line}`),
        '',
      );
      await openShell(node);
    }
    return isRight ? 0 : 1;
  } finally {
    await lab.stop();
  }
}
