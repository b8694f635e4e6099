import type { LabNode } from '../node.ts';
import { cniCommand } from './whole-node.ts';

/** A call of the plugin that an agent refuses, with the code of the error (CNI specification 1.1.0, section 5) and a part of its text. */
interface BadCall {
  readonly what: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly config?: string;
  readonly code: number;
  readonly text: string;
}

const CONFIG = JSON.stringify({ cniVersion: '1.1.0', name: 'cluster_udn_blue', type: 'ovn-uplinks-cni' });

/** Calls for a pod that exists. */
export const badCalls: readonly BadCall[] = [
  {
    what: 'an unknown version',
    variables: {},
    config: CONFIG.replace('1.1.0', '9.9.9'),
    code: 1,
    text: 'cniVersion is \\"9.9.9\\", expected one of',
  },
  { what: 'no interface', variables: { CNI_IFNAME: '' }, code: 4, text: 'CNI_IFNAME is missing' },
  { what: 'no pod', variables: { CNI_ARGS: 'IgnoreUnknown=1' }, code: 4, text: 'expected K8S_POD_NAMESPACE and' },
  {
    what: 'a container id of 1,000 characters',
    variables: { CNI_CONTAINERID: 'c'.repeat(1000) },
    code: 4,
    text: 'CNI_CONTAINERID has 1000 characters',
  },
  { what: 'a namespace that is gone', variables: { CNI_NETNS: '/run/netns/gone' }, code: 3, text: '/run/netns/gone' },
  { what: 'what is not JSON', variables: {}, config: '{', code: 6, text: 'not valid JSON' },
];

/** The output of the plugin for such a call. */
export async function refusalOf(node: LabNode, pod: string, call: BadCall): Promise<string> {
  const variables = {
    CNI_COMMAND: 'ADD',
    CNI_CONTAINERID: 'c0ffee',
    CNI_NETNS: `/run/netns/${pod}`,
    CNI_IFNAME: 'net1',
    CNI_ARGS: 'IgnoreUnknown=1;K8S_POD_NAMESPACE=blue;K8S_POD_NAME=on-worker-a',
    ...call.variables,
  };
  const { stdout } = await node.run(cniCommand('ovn-uplinks-cni', [], variables), { input: call.config ?? CONFIG });
  return stdout;
}
