import type { Endpoint, EndpointSlice } from '../../../domain/api/endpoint-slice.ts';
import { addressAt, compareAddresses, familyOf } from '../../../domain/basics/addresses/ip-address.ts';
import {
  MANAGED_BY_LABEL,
  MIRROR_MANAGER,
  MIRRORED_SERVICE_LABEL,
  NETWORK_NAME_OF_SLICE_ANNOTATION,
  SERVICE_NAME_LABEL,
  SOURCE_SLICE_ANNOTATION,
} from '../../../domain/basics/conventions.ts';
import type { Case } from '../../case.ts';
import type { Engine } from '../../engine.ts';
import { type Choose, chooser, shuffle } from '../../shuffle.ts';
import type { CaseLabels } from '../labels.ts';
import { assertLaw, assertSame } from '../violation.ts';
import { referenceChoice } from './reference-choice.ts';
import { servedServices } from './served-services.ts';

const law = 'chosen';

type ChoiceInput = Parameters<Engine['chooseEndpoints']>[0];

/** Offset of an address in the subnet of a network that no pod has. */
const FREE_OFFSET = 2000;

/** Slices as they may be a while after the mirrors were written: one cannot be read, one has another name, endpoints are gone or not ready any more. */
function changedSince(sources: readonly EndpointSlice[], choose: Choose): readonly EndpointSlice[] {
  return sources
    .filter(() => choose(8) > 0)
    .map(({ metadata, endpoints, ...slice }) => ({
      ...slice,
      metadata: choose(8) > 0 ? metadata : { ...metadata, name: `${metadata.name}-renamed` },
      endpoints: (endpoints ?? [])
        .filter(() => choose(8) > 0)
        .map((endpoint) => (choose(8) > 0 ? endpoint : { ...endpoint, conditions: { ready: false } })),
    }));
}

/** An endpoint that cannot be used, in a slice of its own, and the mirror of that. */
function unusable({ slices: { service }, family, network, node }: ChoiceInput, choose: Choose) {
  const { namespace = 'default', name } = service.metadata;
  // Not ready, without a mirror, outside the network, or without the port.
  const kind = choose(4);
  const endpoint: Endpoint = {
    addresses: [family === 4 ? '10.244.9.9' : 'fd00:244::9:9'],
    conditions: { ready: kind > 0 },
    targetRef: { kind: 'Pod', namespace, name: 'unusable', uid: 'uid-unusable' },
    nodeName: node.name,
    ...(choose(2) > 0 && { hints: { forZones: [{ name: 'north' }], forNodes: [{ name: 'worker-z' }] } }),
  };
  const named = kind === 3 ? [] : ['', 'dns'];
  const slice = (metadata: EndpointSlice['metadata'], endpoints: readonly Endpoint[]): EndpointSlice => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace, ...metadata },
    addressType: family === 4 ? 'IPv4' : 'IPv6',
    endpoints,
    ports: named.map((each) => ({ name: each, protocol: each === '' ? 'TCP' : 'UDP', port: 7070 })),
  });
  const subnet = network.subnets.find(({ cidr }) => familyOf(cidr) === family)?.cidr ?? '';
  const address = kind === 2 ? undefined : addressAt(subnet, FREE_OFFSET);
  const mirror = slice(
    {
      name: 'ovn-uplinks-unusable',
      labels: { [MANAGED_BY_LABEL]: MIRROR_MANAGER, [MIRRORED_SERVICE_LABEL]: name },
      annotations: { [SOURCE_SLICE_ANNOTATION]: 'unusable', [NETWORK_NAME_OF_SLICE_ANNOTATION]: network.networkName },
    },
    kind === 1 ? [] : [{ ...endpoint, ...(address !== undefined && { addresses: [address] }) }],
  );
  return { source: slice({ name: 'unusable', labels: { [SERVICE_NAME_LABEL]: name } }, [endpoint]), mirror };
}

function assertSorted(found: ReturnType<Engine['chooseEndpoints']>): void {
  for (const [at, { address, port }] of found.entries()) {
    const before = found[at - 1];
    const order = before === undefined ? -1 : compareAddresses(before.address, address) || before.port - port;
    assertLaw(law, order < 0, () => `${address} ${String(port)} is twice, or not in order`);
  }
}

function checkChoice(engine: Engine, input: ChoiceInput, choose: Choose): number | undefined {
  const { service, sources, mirrors } = input.slices;
  const found = engine.chooseEndpoints(input);
  assertSorted(found);
  const { row, places } = referenceChoice(input);
  const of = `endpoints of ${service.metadata.namespace ?? ''}/${service.metadata.name} on ${input.node.name}`;
  assertSame(
    law,
    `${of}, and those that kube-proxy uses,`,
    found.map(({ address, port }) => `${address} ${String(port)}`).sort(),
    [...places].sort(),
  );
  const withSlices = (slices: Pick<ChoiceInput['slices'], 'sources' | 'mirrors'>) =>
    engine.chooseEndpoints({ ...input, slices: { ...slices, service } });
  const twice = shuffle({ sources: [...sources, ...sources], mirrors: [...mirrors, ...mirrors] }, choose);
  assertSame(law, `${of}, and those of slices in another order,`, found, withSlices(twice));
  if (service.spec.publishNotReadyAddresses === true) return row;
  const { source, mirror } = unusable(input, choose);
  const more = withSlices({ sources: [...sources, source], mirrors: [...mirrors, mirror] });
  assertSame(law, `${of}, and those beside one that cannot be used,`, found, more);
  return row;
}

/** Labels for the rows of the table. */
const subjects = ['local', 'local terminating', 'for the node', 'for the zone', 'ready', 'terminating'] as const;

/** Law: the endpoints of a Service on a node are those that kube-proxy would use, of those that are in the network. */
export function checkChosen(engine: Engine, subject: Case, seed: number): CaseLabels {
  const choose = chooser(seed);
  const { services, nodes, mirrors, ...served } = servedServices(engine, subject);
  const sources = choose(2) > 0 ? served.sources : changedSince(served.sources, choose);
  const labels = new Set<string>();
  for (const { service, network } of services)
    for (const port of service.spec.ports ?? [])
      for (const family of [4, 6] as const)
        for (const node of nodes) {
          const input = { slices: { service, sources, mirrors }, network, family, node, port };
          const row = checkChoice(engine, input, choose);
          if (row !== undefined) labels.add(subjects[row] ?? '');
        }
  return [...labels];
}
