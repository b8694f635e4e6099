/** Validates one object of a known kind: version, schema, name, and what the API server would reject or drop. */
import { type Conformance, conformanceTo, describeValue, type Finding } from '../../domain/api/conformance.ts';
import { definitionSchemaOf } from '../../domain/api/definitions/custom-resource-definition.ts';
import { apiVersionOf, type Kind } from '../../domain/api/kind.ts';
import { type KindKey, kinds } from '../../domain/api/kinds.ts';
import { lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import { lazyByKey } from '../../domain/basics/incremental/lazy.ts';
import { violatedRulesOf } from './cel-rules.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import { repeatedKeysOf } from './list-map-keys.ts';
import { nestedNetwork } from './nested-network.ts';
import type { ObjectFinding } from './object-finding.ts';
import { isObjectName, objectNameRule } from './object-name.ts';
import { schemaNodeOf } from './schema-node.ts';
import { unknownFieldsOf } from './unknown-fields.ts';

type KindCheck = (object: JsonObject, oldObject: JsonObject | undefined) => readonly ObjectFinding[];

/** Prepared once for each kind. */
const checkOf = lazyByObject(prepareCheck);

const definitionCheckOf = lazyByKey((key: KindKey): KindCheck | undefined => {
  const schema = definitionSchemaOf(key);
  return schema && prepareCheck({ ...kinds[key], defined: true, schema });
});

/**
 * Validates an object as far as it is read. Of a kind that another project defines that is a part. Fields of a network's topology that stand
 * beside it are a warning, unless the network cannot be read.
 *
 * @param oldObject the object before an update, for transition rules
 * @returns all findings; none for an object that the API server would store unchanged
 */
export function checkAs(kind: Kind, object: JsonObject, oldObject?: JsonObject): readonly ObjectFinding[] {
  const check = checkOf(kind);
  const findings = check(object, oldObject);
  const nested = nestedNetwork(kind, object);
  if (nested.findings.length === 0) return findings;
  const isRead = findings.every(({ severity }) => severity === 'warning');
  if (isRead) return [...nested.findings.map((each) => ({ ...each, severity: 'warning' as const })), ...findings];
  return [...nested.findings, ...check(nested.object, oldObject)];
}

/** Validates an object of one of the kinds that are read from a cluster. */
export function checkObject(key: KindKey, object: JsonObject, oldObject?: JsonObject): readonly ObjectFinding[] {
  return checkAs(kinds[key], object, oldObject);
}

/**
 * Validates an object as a whole, by the CustomResourceDefinition that this project has of its kind; of other kinds as far as they are read.
 * Fields of a network's topology that stand beside it are one finding, and are checked where they belong.
 *
 * @param oldObject the object before an update, for transition rules
 */
export function checkWholeObject(key: KindKey, object: JsonObject, oldObject?: JsonObject): readonly ObjectFinding[] {
  const check = definitionCheckOf(key);
  if (check === undefined) return checkObject(key, object, oldObject);
  const nested = nestedNetwork(kinds[key], object);
  return [...nested.findings, ...check(nested.object, oldObject)];
}

function prepareCheck(kind: Kind): KindCheck {
  const conformance = conformanceTo(kind.schema);
  const root = schemaNodeOf(kind.schema);
  const repeatedKeys = repeatedKeysOf(root);
  const unknownFields = unknownFieldsOf(root);
  const violatedRules = violatedRulesOf(root);
  return (object, oldObject) => {
    const version = wrongVersion(kind, object);
    if (version !== undefined) return [version];
    const schemaFindings = findingsOf(conformance(object));
    const invalidPaths = schemaFindings.filter(({ severity }) => severity === 'error').map(({ path }) => path);
    const violatesSchema = (path: string) => invalidPaths.some((at) => isAtOrBelow(at, path));
    return [
      ...schemaFindings,
      ...(violatesSchema('metadata.name') ? [] : wrongName(object)),
      ...repeatedKeys(object),
      ...unknownFields(object),
      ...violatedRules({ value: object, violatesSchema, ...(oldObject !== undefined && { oldValue: oldObject }) }),
    ];
  };
}

/** Another version of a kind that this project defines has another schema: nothing else can be checked. */
function wrongVersion(kind: Kind, { apiVersion }: JsonObject): ObjectFinding | undefined {
  if (!kind.defined || apiVersion === apiVersionOf(kind)) return undefined;
  const message = `expected ${apiVersionOf(kind)}, found ${describeValue(apiVersion)}`;
  return { path: 'apiVersion', message, severity: 'error' };
}

function findingsOf(conformance: Conformance<unknown>): readonly ObjectFinding[] {
  return conformance.conforms ? [] : conformance.findings.map(objectFindingOf);
}

function objectFindingOf({ path, expected, found, kind }: Finding): ObjectFinding {
  return { path, message: `expected ${expected}, found ${found}`, severity: kind === 'shape' ? 'error' : 'warning' };
}

function wrongName({ metadata }: JsonObject): readonly ObjectFinding[] {
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  if (typeof name !== 'string' || isObjectName(name)) return [];
  return [
    {
      path: 'metadata.name',
      message: `expected ${objectNameRule}, found ${describeValue(name)}`,
      severity: 'error',
    },
  ];
}

function isAtOrBelow(path: string, ancestor: string): boolean {
  if (ancestor === '' || path === ancestor) return true;
  return path.startsWith(`${ancestor}.`) || path.startsWith(`${ancestor}[`);
}
