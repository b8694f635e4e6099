/** An Event as the API has it (events.k8s.io/v1; Kubernetes, KEP-383). */
import { randomUUID } from 'node:crypto';
import { apiVersionOf } from '../../domain/api/kind.ts';
import { kinds } from '../../domain/api/kinds.ts';

/** Objects that are in no namespace have their events in this one. */
const DEFAULT_NAMESPACE = 'default';

/** Limits of the API, in characters and bytes. */
const [LONGEST_NAME, LONGEST_INSTANCE, LONGEST_NOTE] = [253, 128, 1024];

/** The content of an Event. */
export interface Occurrence {
  /** Its subject, as `Uplink/blue` or `UserDefinedNetwork/demo/blue`. */
  readonly object: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** Who says it, and when. */
export interface Reporting {
  readonly controller: string;
  readonly instance: string;
  /** Of the object; absent where it is gone. */
  readonly uid: string | undefined;
  readonly count: number;
  /** As `microTime`. */
  readonly lastTime: string;
}

/** An Event, with a new name. */
export function eventObject({ object, type, reason, action, note }: Occurrence, reporting: Reporting) {
  const { kind, namespace, name } = partsOf(object);
  const { controller, instance, uid, count, lastTime } = reporting;
  const defined = Object.values(kinds).find((each) => each.kind === kind);
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: eventName(name), namespace: namespace ?? DEFAULT_NAMESPACE },
    eventTime: lastTime,
    ...(count > 1 && { series: { count, lastObservedTime: lastTime } }),
    type,
    reason,
    action,
    note: shortened(note),
    reportingController: controller,
    reportingInstance: instance.slice(0, LONGEST_INSTANCE),
    regarding: {
      kind,
      name,
      ...(namespace !== undefined && { namespace }),
      ...(defined && { apiVersion: apiVersionOf(defined) }),
      ...(uid !== undefined && { uid }),
    },
  };
}

/** An object such as `Uplink/blue` or `UserDefinedNetwork/demo/blue`. */
function partsOf(object: string): { readonly kind: string; readonly namespace?: string; readonly name: string } {
  const [kind = '', first = '', second] = object.split('/');
  return second === undefined ? { kind, name: first } : { kind, namespace: first, name: second };
}

/** The path of the Events about an object, which are in its namespace. */
export function eventsPath(object: string): string {
  const { namespace = DEFAULT_NAMESPACE } = partsOf(object);
  return `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/events`;
}

function eventName(objectName: string): string {
  const suffix = `.${randomUUID()}`;
  return `${objectName.slice(0, LONGEST_NAME - suffix.length).replace(/[.-]+$/, '')}${suffix}`;
}

function shortened(note: string): string {
  let end = note.length;
  while (Buffer.byteLength(note.slice(0, end)) > LONGEST_NOTE) end -= 1;
  return note.slice(0, end);
}

/** The time now, as the API has it. */
export function microTime(): string {
  return `${new Date().toISOString().slice(0, -1)}000Z`;
}
