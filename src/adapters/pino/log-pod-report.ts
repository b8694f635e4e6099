import type { Logger } from 'pino';
import { podText } from '../../domain/pods/pod-key.ts';
import type { AnsweredCall, PodReport } from '../../ports/pods/pod-report.ts';
import { rounded } from './logger.ts';

/** Calls that runtimes make again and again. */
const frequent: ReadonlySet<AnsweredCall['command']> = new Set(['STATUS', 'CHECK', 'GC']);

function logCall(log: Logger, { command, pod, network, containerId, milliseconds, error }: AnsweredCall): void {
  const fields = {
    command,
    ...(pod !== undefined && { pod }),
    ...(network !== undefined && { network }),
    ...(containerId !== undefined && { containerId }),
    milliseconds: rounded(milliseconds),
    ...(error && { code: error.code }),
  };
  const text = [command, ...(pod === undefined ? [] : [pod])].join(' ');
  if (error !== undefined) log.warn(fields, `${text}: ${error.message}: ${error.details}`);
  else log[frequent.has(command) ? 'debug' : 'info'](fields, text);
}

/** Logs a report on attachments of pods. */
export function logPodReport(log: Logger, report: PodReport): void {
  switch (report.kind) {
    case 'answered':
      logCall(log, report);
      break;
    case 'attach-step': {
      const { step, pod, milliseconds } = report;
      log.debug({ step, pod: podText(pod), milliseconds: rounded(milliseconds) }, `${podText(pod)}: ${step}`);
      break;
    }
    case 'serving':
      log.info({ socket: report.socket }, 'serving container runtimes');
      break;
    case 'leftover-removed':
      log.info({ port: report.port, pod: podText(report.pod) }, `${podText(report.pod)}: removed its unused port`);
      break;
    case 'port-restored':
      log.info({ port: report.port, pod: podText(report.pod) }, `${podText(report.pod)}: restored its port`);
      break;
    case 'lock-repaired':
      log[report.wasMissing ? 'warn' : 'info'](
        { interface: report.interface, pod: podText(report.pod) },
        report.wasMissing
          ? `${podText(report.pod)}: its interface ${report.interface} in the default network was not locked, and is again`
          : `${podText(report.pod)}: replaced the lock of its interface ${report.interface} in the default network`,
      );
      break;
    case 'detached':
      log.warn(
        { port: report.port, pod: podText(report.pod) },
        `${podText(report.pod)}: detached; its interface ${report.port} stays until the pod is deleted, and leads nowhere`,
      );
      break;
    case 'detach-failed':
      log.error({ error: report.error }, `not all pods are detached: ${report.error}`);
      break;
    case 'warning':
      log.warn(report.text);
      break;
    case 'attached':
      log.debug({ pods: report.pods }, 'pods are attached');
      break;
    case 'repair-failed':
      log.error(
        { error: report.error, retryInMilliseconds: report.retryIn },
        `ports of pods cannot be repaired: ${report.error}`,
      );
      break;
  }
}
