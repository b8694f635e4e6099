/** CustomResourceDefinitions of our kinds that take objects of any shape. */
export const permissiveDefinitions: readonly object[] = (
  [
    ['uplinks', 'Uplink', 'v1alpha1', true],
    ['uplinkstates', 'UplinkState', 'v1alpha1', true],
    ['clusteruserdefinednetworks', 'ClusterUserDefinedNetwork', 'v1', true],
  ] as const
).map(([plural, kind, version]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.k8s.ovn.org` },
  spec: {
    group: 'k8s.ovn.org',
    scope: 'Cluster',
    names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              status: {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
                properties: {
                  conditions: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['type'],
                    items: {
                      type: 'object',
                      required: ['type'],
                      'x-kubernetes-preserve-unknown-fields': true,
                      properties: { type: { type: 'string' } },
                    },
                  },
                },
              },
              spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
}));
