import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';

/** The definition of a kind of another project, without its schema. */
function definitionOf(group: string, version: string, kind: string, plural: string, scope = 'Cluster'): object {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

/** The definitions of other projects' kinds that this one reads, or that its examples use. */
export const otherDefinitions: readonly object[] = [
  definitionOf('k8s.ovn.org', 'v1', 'RouteAdvertisements', 'routeadvertisements'),
  definitionOf('frrk8s.metallb.io', 'v1beta1', 'FRRConfiguration', 'frrconfigurations', 'Namespaced'),
  definitionOf('nmstate.io', 'v1', 'NodeNetworkConfigurationPolicy', 'nodenetworkconfigurationpolicies'),
  definitionOf('k8s.cni.cncf.io', 'v1', 'NetworkAttachmentDefinition', 'network-attachment-definitions', 'Namespaced'),
];

/** RouteAdvertisements `blue`. */
export const routeAdvertisements = {
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'RouteAdvertisements',
  metadata: { name: 'blue' },
  spec: {
    advertisements: ['PodNetwork'],
    networkSelectors: [],
    nodeSelector: {},
    frrConfigurationSelector: {},
    targetVRF: 'auto',
  },
};

/** The definitions of ovn-uplinks with schemas that allow everything, as before they were tightened. */
export function definitionsWithoutSchemas(): readonly object[] {
  const anything = { 'x-kubernetes-preserve-unknown-fields': true };
  const openAPIV3Schema = { type: 'object', ...anything, properties: { spec: anything, status: anything } };
  return customResourceDefinitions().map((definition) => {
    const { versions, ...spec } = definition.spec as { readonly versions: readonly object[] };
    return {
      ...definition,
      spec: { ...spec, versions: versions.map((version) => ({ ...version, schema: { openAPIV3Schema } })) },
    };
  });
}
