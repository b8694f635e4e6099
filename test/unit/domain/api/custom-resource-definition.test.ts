import { expect } from 'chai';
import { clusterUserDefinedNetworkDefinitionSchema } from '../../../../src/domain/api/definitions/cluster-user-defined-network-definition.ts';
import { clusterUserDefinedNetworkSchema } from '../../../../src/domain/api/cluster-user-defined-network.ts';
import { userDefinedNetworkDefinitionSchema } from '../../../../src/domain/api/definitions/user-defined-network-definition.ts';
import { userDefinedNetworkSchema } from '../../../../src/domain/api/user-defined-network.ts';
import { customResourceDefinitions } from '../../../../src/domain/api/definitions/custom-resource-definition.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}

interface Specification {
  readonly names: { readonly kind: string };
  readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[];
}

/** Each schema in a schema, with its path. */
function* schemasIn(schema: Schema, path: string): Generator<readonly [string, Schema]> {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {})) yield* schemasIn(field, `${path}.${name}`);
  if (schema.items !== undefined) yield* schemasIn(schema.items, `${path}[]`);
  if (schema.additionalProperties !== undefined) yield* schemasIn(schema.additionalProperties, `${path}{}`);
}

const definitions = customResourceDefinitions().map(({ metadata, spec }) => {
  const { names, versions } = spec as Specification;
  return { metadata, kind: names.kind, schema: versions[0]!.schema.openAPIV3Schema };
});

/** Keywords of a structural schema, as far as they are used. */
const keywords = new Set([
  'type',
  'description',
  'required',
  'properties',
  'items',
  'additionalProperties',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-validations',
]);

describe('CustomResourceDefinitions', () => {
  it('exist for the kinds that ovn-uplinks serves, with the version of their schemas', () => {
    expect(definitions.map(({ metadata, kind }) => [kind, metadata])).to.deep.equal([
      ['Uplink', { name: 'uplinks.k8s.ovn.org', annotations: { 'ovn-uplinks/schema': '1' } }],
      ['UplinkState', { name: 'uplinkstates.k8s.ovn.org', annotations: { 'ovn-uplinks/schema': '1' } }],
      [
        'ClusterUserDefinedNetwork',
        { name: 'clusteruserdefinednetworks.k8s.ovn.org', annotations: { 'ovn-uplinks/schema': '1' } },
      ],
      ['UserDefinedNetwork', { name: 'userdefinednetworks.k8s.ovn.org', annotations: { 'ovn-uplinks/schema': '1' } }],
    ]);
  });

  for (const { kind, schema } of definitions) {
    it(`of ${kind} describe every field`, () => {
      const fields = [...schemasIn(schema, '')].filter(([path]) => !/(\[\]|\{\}|^\.metadata)$/.test(path));
      expect(fields).to.have.length.above(5);
      expect(fields.filter(([, { description }]) => description === undefined).map(([path]) => path)).to.deep.equal([]);
    });

    it(`of ${kind} have keywords of structural schemas only, and leave metadata to the API server`, () => {
      const others = [...schemasIn(schema, '')].flatMap(([path, each]) =>
        Object.keys(each)
          .filter((keyword) => !keywords.has(keyword))
          .map((keyword) => `${path}: ${keyword}`),
      );
      expect(others).to.deep.equal([]);
      expect(schema.properties?.['metadata']).to.deep.equal({ type: 'object' });
    });
  }

  for (const [kind, definitionSchema, readSchema, subnet] of [
    [
      'ClusterUserDefinedNetwork',
      clusterUserDefinedNetworkDefinitionSchema,
      clusterUserDefinedNetworkSchema,
      '.spec.network.layer3.subnets[].cidr',
    ],
    ['UserDefinedNetwork', userDefinedNetworkDefinitionSchema, userDefinedNetworkSchema, '.spec.layer3.subnets[].cidr'],
  ] as const) {
    it(`of ${kind} have every field that is read, with its type`, () => {
      const served = new Map(schemasIn(definitionSchema as Schema, ''));
      const read = [...schemasIn(readSchema as Schema, '')];
      expect(read.map(([path]) => path)).to.include(subnet);
      const differing = read.filter(([path, { type }]) => served.get(path)?.type !== type);
      expect(differing.map(([path]) => path)).to.deep.equal([]);
    });
  }
});
