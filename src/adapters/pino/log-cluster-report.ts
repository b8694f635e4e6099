import type { Logger } from 'pino';
import { objectText } from '../../domain/objects/object-write.ts';
import type { ClusterReport } from '../../ports/cluster/cluster-report.ts';
import { describeProblem, problemFields } from '../../ports/input-problem.ts';
import { rounded } from './logger.ts';

/** The fields of an object such as `Uplink/blue`, named as in the log of node agents. */
function fieldsOf(object: string) {
  const [kind = '', ...path] = object.split('/');
  const name = path.join('/');
  return {
    object,
    ...(kind === 'Uplink' && { uplink: name }),
    ...(kind.endsWith('UserDefinedNetwork') && { network: name }),
  };
}

function logCondition(log: Logger, report: Extract<ClusterReport, { readonly kind: 'condition' }>): void {
  const { object, type, status, reason, message } = report;
  const text = `${object}: ${type} is ${status}: ${reason}${message === '' ? '' : `: ${message}`}`;
  const level = (type === 'Degraded') === (status === 'False') ? 'info' : 'warn';
  log[level]({ ...fieldsOf(object), type, status, reason }, text);
}

/** Logs a report of the cluster loop. */
export function logClusterReport(log: Logger, report: ClusterReport): void {
  switch (report.kind) {
    case 'standing-by':
      log.info('waiting for leadership');
      break;
    case 'leading':
      log.info('leading');
      break;
    case 'leadership-lost':
      log.error({ reason: report.reason }, `lost leadership, exiting: ${report.reason}`);
      break;
    case 'plan-duration':
      log.debug({ milliseconds: rounded(report.milliseconds) }, 'plan computed');
      break;
    case 'unreadable':
      for (const problem of report.problems)
        log.error(problemFields(problem), `cannot read: ${describeProblem(problem)}`);
      break;
    case 'warning':
      log.warn(report.text);
      break;
    case 'object-warning': {
      const { reason, message } = report.warning;
      const object = objectText(report.warning);
      log.warn({ ...fieldsOf(object), reason }, `${object}: ${reason}: ${message}`);
      break;
    }
    case 'condition':
      logCondition(log, report);
      break;
    case 'provision':
      log.info(fieldsOf(report.object), `${report.object}: ${report.isDeletion ? 'deleting' : 'writing'} it`);
      break;
    case 'deleted':
      log.info({ state: report.state }, `UplinkState ${report.state} is obsolete: deleting it`);
      break;
    case 'settled':
      for (const [object, error] of report.refused)
        log.warn({ ...fieldsOf(object), error }, `${object} is not written: ${error}`);
      break;
  }
}
