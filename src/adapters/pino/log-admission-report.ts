import type { Logger } from 'pino';
import type { AdmissionReport } from '../../ports/cluster/controller-access.ts';

/** Logs what became of the access of ovn-controller to the Southbound database. */
export function logAdmissionReport(log: Logger, report: AdmissionReport): void {
  switch (report.kind) {
    case 'given':
      log.info('the Southbound database is complete: ovn-controller may connect to it');
      break;
    case 'given-incomplete':
      log.warn(
        { ports: report.missing },
        `ovn-controller may connect to the Southbound database, which lacks ports of this node: ${report.missing.join(', ')}`,
      );
      break;
    case 'failed':
      log.error(
        { error: report.error },
        `ovn-controller cannot be given access to the Southbound database: ${report.error}`,
      );
      break;
  }
}
