import type { Logger } from 'pino';
import type { ServiceReport } from '../../ports/services/service-report.ts';
import { rounded } from './logger.ts';

/** Logs a report on Services of networks. */
export function logServiceReport(log: Logger, report: ServiceReport): void {
  switch (report.kind) {
    case 'services-programmed': {
      const { changes, milliseconds } = report;
      log.debug({ changes, milliseconds: rounded(milliseconds) }, 'load balancers of Services are in force');
      break;
    }
    case 'services-served': {
      const { services, loadBalancers } = report;
      log.debug({ services, loadBalancers }, 'Services of networks are served');
      break;
    }
    case 'services-warning':
      log.warn(report.text);
      break;
    case 'services-failed':
      log.error({ error: report.error, retryInMilliseconds: report.retryIn }, report.error);
      break;
  }
}
