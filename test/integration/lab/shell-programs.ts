import { kubernetesProgram, type TestApiServer } from '../kubernetes/api-server.ts';
import { ovnUplinks } from './agent/node-agent.ts';
import type { LabNode } from './node.ts';
import { PROGRAMS } from './node-shell.ts';

/** Where kubectl on a node finds the cluster. */
const KUBECONFIG = '/run/kubeconfig';

/** Puts a program where a shell on a node finds it. */
async function install(node: LabNode, name: string, command: string): Promise<void> {
  const program = `${PROGRAMS}/${name}`;
  await node.does(['/bin/busybox', 'mkdir', '-p', PROGRAMS]);
  await node.write(program, `#!/bin/sh\nexec ${command} "$@"\n`);
  await node.does(['/bin/busybox', 'chmod', '+x', program]);
}

/**
 * Puts `ovn-uplinks` where a shell on the node finds it.
 *
 * @param apiServer that it uses as in the pod of the agent, whose files the node has
 */
export async function installCommand(
  node: LabNode,
  { address, port }: Pick<TestApiServer, 'address' | 'port'>,
): Promise<void> {
  const variables = [`KUBERNETES_SERVICE_HOST=${address}`, `KUBERNETES_SERVICE_PORT=${port}`];
  await install(node, 'ovn-uplinks', ['env', ...variables, ...ovnUplinks()].join(' '));
}

/** Puts kubectl where a shell on a node finds it, with the rights of an administrator. */
export async function installKubectl(node: LabNode, kubeconfig: string): Promise<void> {
  await node.write(KUBECONFIG, kubeconfig);
  await install(node, 'kubectl', `'${kubernetesProgram('kubectl')}' --kubeconfig=${KUBECONFIG}`);
}
