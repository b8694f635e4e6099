/**
 * The kinds of prometheus-operator that `config/monitoring` uses, with the fields that it uses (prometheus-operator's API reference,
 * monitoring.coreos.com/v1): strict validation refuses any other.
 */
const text = { type: 'string' };
const list = (items: object) => ({ type: 'array', items });
const texts = { type: 'object', additionalProperties: text };

function fields(properties: Readonly<Record<string, object>>, ...required: readonly string[]): object {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function definitionOf(kind: string, plural: string, spec: object): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.monitoring.coreos.com` },
    spec: {
      group: 'monitoring.coreos.com',
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: fields({ spec }, 'spec') } }],
    },
  };
}

const relabeling = fields({
  sourceLabels: list(text),
  targetLabel: text,
  action: text,
  regex: text,
  replacement: text,
});
const endpoint = fields({ port: text, interval: text, path: text, scheme: text, relabelings: list(relabeling) });
const rule = fields(
  { alert: text, expr: { 'x-kubernetes-int-or-string': true }, for: text, labels: texts, annotations: texts },
  'expr',
);

/** Their definitions. */
export const monitoringDefinitions: readonly object[] = [
  definitionOf(
    'ServiceMonitor',
    'servicemonitors',
    fields({ selector: fields({ matchLabels: texts }), endpoints: list(endpoint) }, 'endpoints', 'selector'),
  ),
  definitionOf(
    'PrometheusRule',
    'prometheusrules',
    fields({ groups: list(fields({ name: text, interval: text, rules: list(rule) }, 'name')) }),
  ),
];
