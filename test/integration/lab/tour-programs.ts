import { kubernetesProgram } from '../kubernetes/api-server.ts';
import { ovnUplinks } from './agent/node-agent.ts';
import type { LabNode } from './node.ts';
import { PROGRAMS } from './node-shell.ts';

/** Where kubectl and ovn-uplinks on a node find the cluster. */
export const KUBECONFIG = '/run/kubeconfig';

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
 * @param apiServer that it uses as in a pod of the agent, whose files the node has; without one it is told where objects are
 */
export async function installCommand(
  node: LabNode,
  apiServer?: { readonly address: string; readonly port: number },
): Promise<void> {
  const variables =
    apiServer === undefined
      ? ''
      : `env KUBERNETES_SERVICE_HOST=${apiServer.address} KUBERNETES_SERVICE_PORT=${apiServer.port} `;
  await install(node, 'ovn-uplinks', variables + ovnUplinks().join(' '));
}

/** Puts kubectl where a shell on a node finds it, with the rights of an administrator. */
export async function installKubectl(node: LabNode, kubeconfig: string): Promise<void> {
  await node.write(KUBECONFIG, kubeconfig);
  await install(node, 'kubectl', `'${kubernetesProgram('kubectl')}' --kubeconfig=${KUBECONFIG}`);
}
