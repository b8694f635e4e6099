/**
 * The part of a registration that is stored, once it is known which networks are ready on the node.
 */
import { type NotReady, readinessData, readinessIn } from '../../network/allocation/node-report.ts';
import { isStored } from '../../objects/differences.ts';
import type { FieldsWrite } from '../../objects/object-write.ts';
import { nodeWrite, reportWrite } from '../../objects/writes.ts';
import type { NodeReportObject, PlannedRegistration } from './node-registration.ts';
import type { LogicalNetworkOnNode } from '../parts/part.ts';

/** Why networks are not ready, by id; undefined where they are. Those that are being changed are left out: what was reported of them stays. */
export type ReadinessOfNetworks = ReadonlyMap<number, NotReady | undefined>;

/** The readiness of networks as data of a report. */
function readinessOf(
  provided: readonly LogicalNetworkOnNode[],
  stored: NodeReportObject['data'],
  readiness: ReadinessOfNetworks,
): NodeReportObject['data'] {
  const former = readinessIn(stored);
  const ids = provided.flatMap(({ networkId }) => networkId ?? []).sort((left, right) => left - right);
  const failureOf = (id: number) => (readiness.has(id) ? readiness.get(id) : former.notReady.get(id));
  const isReady = (id: number) => (readiness.has(id) ? readiness.get(id) === undefined : former.ready.has(id));
  return readinessData({
    ready: new Set(ids.filter(isReady)),
    notReady: new Map(
      ids.flatMap((id) => {
        const failure = failureOf(id);
        return failure === undefined ? [] : [[id, failure] as const];
      }),
    ),
  });
}

/** The writes of the part of a registration that is not stored, in their order. */
export function registrationToStore(
  { report, stored = {}, annotations }: PlannedRegistration,
  provided: readonly LogicalNetworkOnNode[],
  readiness: ReadinessOfNetworks,
): readonly FieldsWrite[] {
  const wanted =
    report && reportWrite({ ...report, data: { ...report.data, ...readinessOf(provided, stored, readiness) } });
  return [
    ...(wanted === undefined || isStored(wanted, { ...wanted, data: stored }) ? [] : [wanted]),
    ...(annotations === undefined ? [] : [nodeWrite({ ...annotations, name: annotations.node })]),
  ];
}
