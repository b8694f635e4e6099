/**
 * The endpoints that kube-proxy would use, as a table: of its rows that are for the policy of the Service, the first one that selects an endpoint
 * (Kubernetes enhancements, KEP-1669, KEP-2433, KEP-4444).
 */
import type { Endpoint, EndpointSlice } from '../../../domain/api/endpoint-slice.ts';
import { subnetContains } from '../../../domain/basics/addresses/ip-address.ts';
import {
  MIRRORED_SERVICE_LABEL,
  SERVICE_NAME_LABEL,
  PROXY_OF_SOURCE_ANNOTATION,
  SERVICE_PROXY,
  SOURCE_SLICE_ANNOTATION,
} from '../../../domain/basics/conventions.ts';
import type { Engine } from '../../engine.ts';

type ChoiceInput = Parameters<Engine['chooseEndpoints']>[0];

/** An endpoint with what the table asks for. */
interface Candidate {
  readonly address: string;
  readonly port: number;
  readonly isReady: boolean;
  readonly isLeaving: boolean;
  readonly isHere: boolean;
  readonly forNodes: readonly string[];
  readonly forZones: readonly string[];
}

interface Row {
  readonly policy: 'Local' | 'Cluster';
  /** Whether the row is used, by those that are ready. */
  readonly if?: (ready: readonly Candidate[]) => boolean;
  readonly selects: (candidate: Candidate, node: ChoiceInput['node']) => boolean;
}

const rows: readonly Row[] = [
  { policy: 'Local', selects: ({ isReady, isHere }) => isReady && isHere },
  { policy: 'Local', selects: ({ isLeaving, isHere }) => isLeaving && isHere },
  {
    policy: 'Cluster',
    if: (ready) => ready.every(({ forNodes }) => forNodes.length > 0),
    selects: ({ isReady, forNodes }, { name }) => isReady && forNodes.includes(name),
  },
  {
    policy: 'Cluster',
    if: (ready) => ready.every(({ forZones }) => forZones.length > 0),
    selects: ({ isReady, forZones }, { zone = '' }) => isReady && forZones.includes(zone),
  },
  { policy: 'Cluster', selects: ({ isReady }) => isReady },
  { policy: 'Cluster', selects: ({ isLeaving }) => isLeaving },
];

/** Whether two endpoints are one: the same pod, or an address that is written in both. */
function isOne(left: Endpoint, right: Endpoint): boolean {
  const [leftPod, rightPod] = [left, right].map(({ targetRef }) => (targetRef?.kind === 'Pod' ? targetRef.uid : ''));
  return leftPod === rightPod && (leftPod !== '' || left.addresses.some((each) => right.addresses.includes(each)));
}

/** The slices of the Service in the family, by the label that has its name. */
function slicesOf(slices: readonly EndpointSlice[], label: string, { slices: { service }, family }: ChoiceInput) {
  return slices.filter(
    ({ metadata, addressType }) =>
      metadata.namespace === service.metadata.namespace &&
      metadata.labels?.[label] === service.metadata.name &&
      addressType === (family === 4 ? 'IPv4' : 'IPv6'),
  );
}

/** Endpoints as they are known, slice by slice: by mirrors only where no slice has them. */
function known(input: ChoiceInput): readonly EndpointSlice[] {
  const sources = slicesOf(input.slices.sources, SERVICE_NAME_LABEL, input);
  const names = new Set(input.slices.sources.map(({ metadata }) => `${metadata.namespace ?? ''} ${metadata.name}`));
  const alone = slicesOf(input.slices.mirrors, MIRRORED_SERVICE_LABEL, input)
    .filter(
      ({ metadata: { namespace = '', annotations } }) =>
        // A slice of the proxy that is not there is gone.
        annotations?.[PROXY_OF_SOURCE_ANNOTATION] !== SERVICE_PROXY &&
        !names.has(`${namespace} ${annotations?.[SOURCE_SLICE_ANNOTATION] ?? ''}`),
    )
    .map((mirror) => ({
      ...mirror,
      endpoints: (mirror.endpoints ?? []).filter(
        (endpoint) => !sources.some(({ endpoints }) => (endpoints ?? []).some((other) => isOne(endpoint, other))),
      ),
    }));
  return [...sources, ...alone];
}

function candidates(input: ChoiceInput): readonly Candidate[] {
  const { slices, port, network, node } = input;
  const mirrored = slicesOf(slices.mirrors, MIRRORED_SERVICE_LABEL, input).flatMap(({ endpoints }) => endpoints ?? []);
  return known(input).flatMap(({ endpoints, ports }) => {
    const numbers = (ports ?? []).filter(
      ({ name, protocol }) => (name ?? '') === (port.name ?? '') && (protocol ?? 'TCP') === (port.protocol ?? 'TCP'),
    );
    return (endpoints ?? []).flatMap((endpoint) => {
      const address = mirrored.find((each) => isOne(each, endpoint))?.addresses[0] ?? '';
      if (!network.subnets.some(({ cidr }) => subnetContains(cidr, address))) return [];
      const { ready = true, serving = true, terminating = false } = endpoint.conditions ?? {};
      return numbers.map((number): Candidate => ({
        address,
        port: number.port ?? 0,
        isReady: ready || slices.service.spec.publishNotReadyAddresses === true,
        isLeaving: serving && terminating,
        isHere: endpoint.nodeName === node.name,
        forNodes: (endpoint.hints?.forNodes ?? []).map(({ name }) => name),
        forZones: (endpoint.hints?.forZones ?? []).map(({ name }) => name),
      }));
    });
  });
}

/** Number of the row of the table that applies, and the addresses and ports that it selects. */
export interface ReferenceChoice {
  readonly row: number | undefined;
  readonly places: ReadonlySet<string>;
}

/** Chooses endpoints by the table. */
export function referenceChoice(input: ChoiceInput): ReferenceChoice {
  const found = candidates(input);
  const ready = found.filter(({ isReady }) => isReady);
  const policy = input.slices.service.spec.internalTrafficPolicy === 'Local' ? 'Local' : 'Cluster';
  for (const [row, { selects, ...of }] of rows.entries()) {
    const selected =
      of.policy === policy && (of.if?.(ready) ?? true) ? found.filter((each) => selects(each, input.node)) : [];
    if (selected.length > 0)
      return { row, places: new Set(selected.map(({ address, port }) => `${address} ${String(port)}`)) };
  }
  return { row: undefined, places: new Set() };
}
