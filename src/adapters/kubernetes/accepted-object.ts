import { apiVersionOf, type KindKey, kinds } from '../../domain/api/kinds.ts';
import type { InputProblem } from '../../ports/input-problem.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import { checkObject } from '../manifests/check-object.ts';
import { trimmedTo } from './trimmed.ts';

/** The part of an object that is used. */
export interface Accepted {
  /** The part of it that is read; absent where it cannot be read: it is invalid, and no version of it was valid. */
  readonly object?: JsonObject;
  readonly warnings: readonly InputProblem[];
}

/** Decides what is used of an object that is created or changed. */
export type Accept = (object: JsonObject, former: JsonObject | undefined) => Accepted;

const none: readonly InputProblem[] = [];

/** Consequences of an object that cannot be read, by the list that it is not in (docs/design/api-decisions.md, "Bad input"). */
const consequences: Readonly<Record<KindKey, string>> = {
  uplinks: 'its networks and states are left as they are',
  uplinkStates: 'it counts as missing',
  clusterUserDefinedNetworks: 'the network is left as it is on nodes, and finalizers of Uplinks stay',
  userDefinedNetworks: 'the network keeps its id and its NetworkAttachmentDefinition',
  nodes: 'its states are left as they are, and nothing is changed on it',
  namespaces: 'with Dynamic UDN no network is removed from a node that it is not active on',
  pods: 'with Dynamic UDN no network is removed from a node that it is not active on',
  networkAttachmentDefinitions: 'with Dynamic UDN no network is removed from a node that it is not active on',
  configMaps: 'no ids are given',
  routeAdvertisements: 'networks are left as they are on nodes: it may decide their routing domains',
  frrConfigurations:
    'networks with RouteAdvertisements are left as they are on nodes: it may decide their routing domains',
};

/**
 * Accepts objects of a kind: fields that are not read are left out, and one that is invalid, though the API server has it, is not used: it was stored
 * before its definition was tightened, or is of a newer version. The last valid version of it stays in use.
 */
export function acceptedObject(key: KindKey): Accept {
  const kind = kinds[key];
  const trim = trimmedTo(kind.schema);
  return (object, former) => {
    // The items of a list do not say what they are.
    const trimmed = { ...(trim(object) as JsonObject), apiVersion: apiVersionOf(kind), kind: kind.kind };
    const findings = checkObject(key, trimmed);
    if (findings.length === 0) return { object: trimmed, warnings: none };
    const isInvalid = findings.some(({ severity }) => severity === 'error');
    const instead =
      former === undefined
        ? `the object is not used: ${consequences[key]}`
        : 'the last valid version of it stays in use';
    const origin = { kind: 'object', object: labelOf(kind.kind, object) } as const;
    const warnings = findings.map(({ path, message }): InputProblem => ({
      origin,
      ...(path !== '' && { path }),
      message: isInvalid ? `${message}; ${instead}` : message,
    }));
    if (isInvalid) return { ...(former && { object: former }), warnings };
    return { object: trimmed, warnings };
  };
}

function labelOf(kind: string, { metadata }: JsonObject): string {
  const { namespace, name } = isJsonObject(metadata) ? metadata : {};
  return typeof namespace === 'string' ? `${kind}/${namespace}/${String(name)}` : `${kind}/${String(name)}`;
}
