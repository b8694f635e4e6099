import type { ApiRequest } from '../../../src/adapters/kubernetes/api-server.ts';
import type { Answer } from './served-config.ts';

export const STATES = '/apis/k8s.ovn.org/v1alpha1/uplinkstates';
export const UPLINK = '/apis/k8s.ovn.org/v1alpha1/uplinks/blue';
export const NETWORK = '/apis/k8s.ovn.org/v1/clusteruserdefinednetworks/blue';
export const query = { fieldManager: 'ovn-uplinks-node', force: 'true' };

interface Meta {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

/** A state of an uplink on a node as its agent creates it, with some of its metadata replaced. */
export function stateOf(uplink: string, node: string, replaced: Meta = {}) {
  const names = { 'k8s.ovn.org/uplink': uplink, 'k8s.ovn.org/node': node };
  return {
    apiVersion: 'k8s.ovn.org/v1alpha1',
    kind: 'UplinkState',
    metadata: { name: `${uplink}.${node}`, labels: names, annotations: names, ...replaced },
  };
}

export const create = (uplink: string, node: string, replaced?: Meta): ApiRequest => ({
  method: 'POST',
  path: STATES,
  body: stateOf(uplink, node, replaced),
});

/** Changes metadata of a state. */
export const label = (name: string, metadata: Meta): ApiRequest => ({
  method: 'PATCH',
  path: `${STATES}/${name}`,
  query,
  body: { apiVersion: 'k8s.ovn.org/v1alpha1', kind: 'UplinkState', metadata: { name, ...metadata } },
});

/** Reports a state. */
export const report = (name: string, nodeName: string): ApiRequest => ({
  method: 'PATCH',
  path: `${STATES}/${name}/status`,
  query,
  body: {
    apiVersion: 'k8s.ovn.org/v1alpha1',
    kind: 'UplinkState',
    metadata: { name },
    status: { uplinkName: 'blue', nodeName },
  },
});

export const remove = (path: string): ApiRequest => ({ method: 'DELETE', path });

/** Changes an object of the administrator's. */
export const change = (path: string, kind: string, rest: object): ApiRequest => ({
  method: 'PATCH',
  path,
  query,
  body: {
    apiVersion: kind === 'Uplink' ? 'k8s.ovn.org/v1alpha1' : 'k8s.ovn.org/v1',
    kind,
    metadata: { name: 'blue' },
    ...rest,
  },
});

/** The refusal of a request: RBAC, or the message of a policy; `done` if the request was not refused. */
export function refusal(answer: Answer): string {
  if (answer === 'done') return 'done';
  const { message } = answer;
  const said = /ValidatingAdmissionPolicy '[^']*' with binding '[^']*' denied request: (.*?)( \(HTTP 403\))?$/.exec(
    message,
  );
  return said?.[1] ?? (/ cannot \w+ resource /.test(message) ? 'RBAC' : message);
}
