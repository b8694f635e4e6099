import Type from 'typebox';
import { type JsonAnnotation, jsonAnnotation } from '../../api/json-annotation.ts';
import type { Node } from '../../api/node.ts';
import { partOf } from '../../api/schema.ts';
import { FALLBACK_DEFAULT_BRIDGE, INTEGRATION_BRIDGE, L3_GATEWAY_CONFIG_ANNOTATION } from '../../basics/conventions.ts';
import type { ReservedBridgeRole } from '../../discovery/discovery.ts';
import { lazyByObjects } from '../../basics/incremental/by-identity.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';

const readGatewayConfig = jsonAnnotation(
  partOf({ default: Type.Optional(partOf({ 'bridge-id': Type.Optional(Type.String()) })) }),
);

/** OVN-Kubernetes' annotation about the default network's gateway on a node, from which the bridge is read. */
export interface GatewayConfig {
  readonly default?: { readonly 'bridge-id'?: string };
}

/** Reads a node's gateway annotation. */
export function gatewayConfigOf({ metadata }: Node): JsonAnnotation<GatewayConfig> {
  return readGatewayConfig(metadata.annotations?.[L3_GATEWAY_CONFIG_ANNOTATION]);
}

/** The default gateway bridge of a node: the configured one, else that of the annotation, else br-ex. */
function defaultBridgeOf(node: Node, settings: NodeSettings): string {
  const annotation = gatewayConfigOf(node);
  const annotated = annotation.kind === 'read' ? annotation.value.default?.['bridge-id'] : undefined;
  return settings.defaultBridge ?? (annotated || FALLBACK_DEFAULT_BRIDGE);
}

/** The bridges of a node that are not uplinks, each with its role; the first by precedence where one bridge has several. */
export const reservedBridges = lazyByObjects(
  (node: Node, settings: NodeSettings): ReadonlyMap<string, ReservedBridgeRole> =>
    new Map<string, ReservedBridgeRole>([
      ...(settings.egressGatewayBridge === undefined
        ? []
        : [[settings.egressGatewayBridge, 'egress-gateway'] as const]),
      [defaultBridgeOf(node, settings), 'default-gateway'],
      [INTEGRATION_BRIDGE, 'integration'],
    ]),
);
