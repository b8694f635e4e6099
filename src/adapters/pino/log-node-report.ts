import type { Logger } from 'pino';
import { discrepancyText } from '../../domain/status/discrepancy.ts';
import { type Operation, operationText } from '../../domain/index.ts';
import { describeProblem } from '../../ports/input-problem.ts';
import type { NodeReport } from '../../ports/node-report.ts';
import { rounded } from './logger.ts';

type Kind = NodeReport['kind'];

/** A line for each kind of report. */
const lines: { readonly [Each in Kind]: (log: Logger, report: Extract<NodeReport, { kind: Each }>) => void } = {
  looked: () => undefined,
  thought: (log, { milliseconds }) => {
    log.debug({ milliseconds: rounded(milliseconds) }, 'thought');
  },
  unreadable: (log, { problems }) => {
    for (const problem of problems) log.error({ ...problem }, `cannot read: ${describeProblem(problem)}`);
  },
  planned: (log, { plan, networks, operations }) => {
    log.info({ plan, networks, operations }, 'planned');
  },
  warning: (log, { text }) => {
    log.warn(text);
  },
  'carried-out': (log, { operation, milliseconds }) => {
    log.info({ ...fieldsOf(operation), milliseconds: rounded(milliseconds) }, operationText(operation));
  },
  refused: (log, { operation, error }) => {
    log.debug({ ...fieldsOf(operation), error }, `refused: ${operationText(operation)}`);
  },
  failed: (log, { operation, error, retryIn }) => {
    const fields = { ...fieldsOf(operation), error, retryInMilliseconds: retryIn };
    log.error(fields, `failed: ${operationText(operation)}: ${error}`);
  },
  drift: (log, { operation, discrepancy }) => {
    log.warn({ ...fieldsOf(operation), ...discrepancy }, `changed by somebody else: ${discrepancyText(discrepancy)}`);
  },
  'drift-repaired': (log, { operation, milliseconds }) => {
    log.info(
      { ...fieldsOf(operation), milliseconds: rounded(milliseconds) },
      `put right again: ${operationText(operation)}`,
    );
  },
  settled: (log, { networks, milliseconds }) => {
    const fields = { networks: Object.fromEntries(networks) };
    if (milliseconds === undefined) log.debug(fields, 'nothing to do');
    else log.info({ ...fields, milliseconds: rounded(milliseconds) }, 'everything is done that can be done');
  },
  network: (log, { network, uplink, reason, message }) => {
    if (reason === 'Ready') log.info({ network, uplink, reason }, `network ${network} is ready`);
    else log.warn({ network, uplink, reason }, `network ${network} is not ready: ${reason}: ${message}`);
  },
  'ledger-unwritten': (log, { error }) => {
    log.warn({ error }, error);
  },
  unpublished: (log, { refused }) => {
    for (const [state, error] of refused) log.warn({ state, error }, `UplinkState ${state} is not written: ${error}`);
  },
};

function fieldsOf({ networks, kind }: Operation) {
  return { networks, operation: kind };
}

/** Logs what the loop of a node has to say: one line for each event that matters, with network and uplink as fields. */
export function logNodeReport(log: Logger, report: NodeReport): void {
  // The table gives each kind its own line, which the compiler cannot follow through the index.
  const line = lines[report.kind] as (log: Logger, report: NodeReport) => void;
  line(log, report);
}
