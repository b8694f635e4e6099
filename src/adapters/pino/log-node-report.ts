import { nameOfNetwork } from '../../domain/network/key.ts';
import type { Logger } from 'pino';
import { distinct } from '../../domain/basics/names/ordering.ts';
import { discrepancyText } from '../../domain/status/discrepancy.ts';
import { semanticsOf, type Operation, operationText } from '../../domain/index.ts';
import { describeProblem, problemFields } from '../../ports/input-problem.ts';
import type { NodeReport } from '../../ports/node/node-report.ts';
import { rounded } from './logger.ts';

type ReportKind = NodeReport['kind'];

/** A line for each kind of report. */
const lines: { readonly [Each in ReportKind]: (log: Logger, report: Extract<NodeReport, { kind: Each }>) => void } = {
  observed: () => undefined,
  ways: () => undefined,
  'plan-duration': (log, { milliseconds }) => {
    log.debug({ milliseconds: rounded(milliseconds) }, 'plan computed');
  },
  unreadable: (log, { problems }) => {
    for (const problem of problems) log.error(problemFields(problem), `cannot read: ${describeProblem(problem)}`);
  },
  planned: (log, { plan, networks, operations }) => {
    log.info({ plan, networks, operations }, 'planned');
  },
  warning: (log, { text }) => {
    log.warn(text);
  },
  applied: (log, { milliseconds, ...of }) => {
    log.info({ ...fieldsOf(of), milliseconds: rounded(milliseconds) }, operationText(of.operation));
  },
  refused: (log, { error, ...of }) => {
    log.debug({ ...fieldsOf(of), error }, `refused: ${operationText(of.operation)}`);
  },
  superseded: (log, { error, ...of }) => {
    log.debug({ ...fieldsOf(of), error }, `no longer necessary: ${operationText(of.operation)}: ${error}`);
  },
  failed: (log, { error, retryIn, ...of }) => {
    const fields = { ...fieldsOf(of), error, retryInMilliseconds: retryIn };
    log.error(fields, `failed: ${operationText(of.operation)}: ${error}`);
  },
  drift: (log, { discrepancy, ...of }) => {
    log.warn({ ...fieldsOf(of), ...discrepancy }, `drift: ${discrepancyText(discrepancy)}`);
  },
  'drift-repaired': (log, { milliseconds, ...of }) => {
    log.info({ ...fieldsOf(of), milliseconds: rounded(milliseconds) }, `repaired: ${operationText(of.operation)}`);
  },
  settled: (log, { networks, milliseconds }) => {
    const fields = { networksByReason: Object.fromEntries(networks) };
    if (milliseconds === undefined) log.debug(fields, 'nothing to do');
    else log.info({ ...fields, milliseconds: rounded(milliseconds) }, 'settled');
  },
  network: (log, { network, uplink, reason, message }) => {
    if (reason === 'Ready') log.info({ network, uplink, reason }, `network ${network} is ready`);
    else log.warn({ network, uplink, reason }, `network ${network} is not ready: ${reason}: ${message}`);
  },
  'ledger-unwritten': (log, { error }) => {
    log.warn({ error }, error);
  },
  unpublished: (log, { refused }) => {
    for (const [object, error] of refused) log.warn({ object, error }, `${object} is not written: ${error}`);
  },
};

/**
 * The fields of an operation. Several networks or uplinks are joined by commas, so that a field has the same type in every line. Empty fields are
 * absent.
 */
function fieldsOf({ operation, uplinks }: { readonly operation: Operation; readonly uplinks: readonly string[] }) {
  const listed = (names: readonly string[]) => distinct(names).join(',');
  return {
    ...(operation.networks.length > 0 && { network: listed(operation.networks.map(nameOfNetwork)) }),
    ...(uplinks.length > 0 && { uplink: listed(uplinks) }),
    operation: semanticsOf(operation).name,
  };
}

/** Logs a report of the node loop. */
export function logNodeReport(log: Logger, report: NodeReport): void {
  // The compiler cannot infer that the function fits the kind.
  const line = lines[report.kind] as (log: Logger, report: NodeReport) => void;
  line(log, report);
}
