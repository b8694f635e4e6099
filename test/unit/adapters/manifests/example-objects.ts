/** Objects that the API server would store unchanged. The given fields replace those of the object; undefined removes one. */

type Fields = Readonly<Record<string, unknown>>;

/** An Uplink with one node config. */
export function uplink(name: string, nodeConfig: Fields = {}): Fields {
  return {
    apiVersion: 'k8s.ovn.org/v1alpha1',
    kind: 'Uplink',
    metadata: { name },
    spec: {
      nodeConfigs: [replaced({ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName: 'br-blue' }, nodeConfig)],
    },
  };
}

/** A ready UplinkState. */
export function uplinkState(name: string, status: Fields = {}): Fields {
  return {
    apiVersion: 'k8s.ovn.org/v1alpha1',
    kind: 'UplinkState',
    metadata: { name },
    status: replaced(
      {
        uplinkName: 'blue',
        nodeName: 'worker-a',
        type: 'OVSBridge',
        hostInterfaceName: 'br-blue',
        ovsBridge: { name: 'br-blue' },
        macAddress: '02:42:c0:00:02:06',
        ipAddresses: ['192.0.2.6/24'],
        conditions: [{ type: 'Ready', status: 'True', reason: 'Ready' }],
      },
      status,
    ),
  };
}

/** A primary Layer3 network with uplink `blue`. */
export function network(name: string, spec: Fields = {}): Fields {
  return {
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'ClusterUserDefinedNetwork',
    metadata: { name },
    spec: replaced(
      {
        namespaceSelector: {},
        network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } },
        uplinks: ['blue'],
      },
      spec,
    ),
  };
}

/** A pod, with or without a namespace. */
export function pod(name: string, namespace?: string): Fields {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec: { nodeName: 'a' },
  };
}

/** A list as printed by `kubectl get`. */
export function list(...items: readonly unknown[]): Fields {
  return { apiVersion: 'v1', kind: 'List', items };
}

function replaced(fields: Fields, by: Fields): Fields {
  return Object.fromEntries(Object.entries({ ...fields, ...by }).filter(([, field]) => field !== undefined));
}
