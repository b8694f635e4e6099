/** Prints docs/api.md from the CustomResourceDefinitions. */
import { writeFileSync } from 'node:fs';
import { customResourceDefinitions } from '../src/domain/api/definitions/custom-resource-definition.ts';

/** The fields of a schema that are printed (OpenAPI 3, as in CustomResourceDefinitions). */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly { readonly message?: string }[];
}

interface Definition {
  readonly group: string;
  readonly scope: string;
  readonly names: { readonly kind: string; readonly plural: string; readonly shortNames: readonly string[] };
  readonly versions: readonly {
    readonly name: string;
    readonly additionalPrinterColumns: readonly {
      readonly name: string;
      readonly description?: string;
      readonly priority?: number;
    }[];
    readonly schema: { readonly openAPIV3Schema: Schema };
  }[];
}

const cell = (text: string) => text.replaceAll('|', '\\|');
const code = (text: string) => `\`${text}\``;

function typeOf({ type = '', items, additionalProperties, format }: Schema): string {
  if (items !== undefined) return `list of ${typeOf(items)}s`;
  if (additionalProperties !== undefined) return `map of ${typeOf(additionalProperties)}s`;
  return format === undefined ? type : `${type}, ${format}`;
}

/** The bounds of a number or of the length of a list; those of texts are in their descriptions. */
function boundsOf({ minimum, maximum, minItems, maxItems }: Schema): readonly string[] {
  const between = (least: number | undefined, most: number | undefined, what = '') => {
    if (least === undefined) return most === undefined ? [] : [`At most ${most}${what}.`];
    return [most === undefined ? `At least ${least}${what}.` : `${least} to ${most}${what}.`];
  };
  return [...between(minimum, maximum), ...between(minItems, maxItems, maxItems === 1 ? ' item' : ' items')];
}

function meaningOf(schema: Schema): string {
  const { description = '', enum: values, items } = schema;
  const { 'x-kubernetes-list-map-keys': keys, 'x-kubernetes-validations': rules = [] } = schema;
  const messages = [...rules, ...(items?.['x-kubernetes-validations'] ?? [])].flatMap(({ message }) => message ?? []);
  return [
    description,
    ...(values === undefined ? [] : [`One of ${values.map(code).join(', ')}.`]),
    ...boundsOf(schema),
    ...(keys === undefined ? [] : [`No two items have the same ${keys.map(code).join(' and ')}.`]),
    ...(messages.length === 0 ? [] : [`${messages.length === 1 ? 'Rule' : 'Rules'}: ${messages.join('; ')}.`]),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** A row for each field of an object, and for the fields of these. */
function rowsOf({ properties = {}, required = [] }: Schema, path: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const field = `${path}${name}`;
    const type = typeOf(schema) + (required.includes(name) ? ', required' : '');
    const inner = schema.items ?? schema.additionalProperties ?? schema;
    const suffix = schema.items === undefined ? '.' : '[].';
    return [`| ${code(field)} | ${type} | ${cell(meaningOf(schema))} |`, ...rowsOf(inner, `${field}${suffix}`)];
  });
}

function section({ group, scope, names, versions }: Definition): readonly string[] {
  return versions.flatMap(({ name, schema: { openAPIV3Schema }, additionalPrinterColumns }) => {
    const { apiVersion: _, kind: __, metadata: ___, ...properties } = openAPIV3Schema.properties ?? {};
    const columns = additionalPrinterColumns.map(
      ({ name: title, description = 'Time since it was created.', priority = 0 }) =>
        `| ${title.toUpperCase()} | ${cell(description)}${priority > 0 ? ' With `--output wide`.' : ''} |`,
    );
    return [
      `## ${names.kind}`,
      '',
      openAPIV3Schema.description ?? '',
      '',
      `API version ${code(`${group}/${name}`)}; ${scope === 'Cluster' ? 'in no namespace' : 'in a namespace'}; \`kubectl get ${names.plural}\`, or ${names.shortNames.map(code).join(', ')}.`,
      '',
      '| field | type | meaning |',
      '|---|---|---|',
      ...rowsOf({ ...openAPIV3Schema, properties }, ''),
      '',
      `\`kubectl get ${names.plural}\` prints:`,
      '',
      '| column | meaning |',
      '|---|---|',
      ...columns,
      '',
    ];
  });
}

writeFileSync(
  new URL('../docs/api.md', import.meta.url),
  [
    '# API reference',
    '',
    'The kinds that ovn-uplinks defines, as `kubectl explain` has them too. [conditions.md](conditions.md) explains the reasons of their conditions, and',
    '[guide.md](guide.md) shows them in use. `ovn-uplinks crds` prints the CustomResourceDefinitions, and `ovn-uplinks validate` checks objects against them.',
    'This page is printed from `src/domain/api` by `npm run goldens`.',
    '',
    'Fields of a network that depend on its topology are nested: they stand below `layer2` or `layer3`, beside `topology`. This is the API `k8s.ovn.org/v1` as',
    'OVN-Kubernetes serves it. The early examples of its enhancement proposal OKEP-5193 are flat, with `spec.role` or `spec.template`, which it does not serve: a field',
    'of one topology makes no sense in another (`ipam` in Layer3), or has another form (`subnets`), which a schema can only say where each topology has its own part.',
    '`ovn-uplinks validate` says where the fields of a flat object belong.',
    '',
    '<!-- prettier-ignore-start -->',
    '',
    ...customResourceDefinitions().flatMap(({ spec }) => section(spec as Definition)),
    '<!-- prettier-ignore-end -->',
    '',
  ].join('\n'),
);
