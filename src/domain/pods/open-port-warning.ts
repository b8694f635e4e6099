/** The warning about a pod whose annotation does not open all ports that it names. */
import type { Pod } from '../api/pod.ts';
import { OPEN_PORTS_ANNOTATION } from '../basics/conventions.ts';
import type { ObjectWarning } from '../api/object-warning.ts';
import { type OpenPorts, openPortsOf } from './open-ports.ts';

/** Number of problems that a warning names. */
const FEW = 3;

/** Ports as `tcp 80, 443 and sctp 5000`; empty without any. */
export function openPortsText(ports: OpenPorts): string {
  return (['tcp', 'sctp'] as const)
    .flatMap((protocol) => (ports[protocol].length === 0 ? [] : [`${protocol} ${ports[protocol].join(', ')}`]))
    .join(' and ');
}

/** The warning about a pod; undefined where all that it asks for is opened. */
export function openPortWarning(pod: Pod): ObjectWarning | undefined {
  const { ports, problems } = openPortsOf(pod);
  if (problems.length === 0) return undefined;
  const { namespace = 'default', name, uid = '' } = pod.metadata;
  const few = problems.slice(0, FEW).join('; ');
  const more = problems.length > FEW ? `; and ${String(problems.length - FEW)} more` : '';
  const opened = openPortsText(ports);
  const consequence = `the pod opens ${opened === '' ? 'no port' : `only ${opened}`}`;
  return {
    kind: 'Pod',
    namespace,
    name,
    uid,
    reason: 'OpenPortsRefused',
    message: `annotation ${OPEN_PORTS_ANNOTATION}: ${few}${more}; ${consequence}; change the annotation, which is read also while the pod runs, and the template of the pod`,
  };
}
