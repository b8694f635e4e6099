/**
 * Events of the cluster (events.k8s.io/v1; Kubernetes, KEP-383), which `kubectl describe` and `kubectl get events` print.
 */
import { randomUUID } from 'node:crypto';
import { apiVersionOf } from '../../domain/api/kind.ts';
import { kinds } from '../../domain/api/kinds.ts';
import type { ClusterReport } from '../../ports/cluster/cluster-report.ts';
import type { ApiServer } from './api-server.ts';

/** Objects that are in no namespace have their events in this one. */
const DEFAULT_NAMESPACE = 'default';

/** Milliseconds between writes of events of an object. */
const WRITE_INTERVAL = 1000;

/** Milliseconds within which a reason that comes back continues its series. */
const SERIES_INTERVAL = 360_000;

/** So many objects are remembered though they are gone. */
const FEW_OBJECTS = 100;

/** Limits of the API, in characters and bytes. */
const [LONGEST_NAME, LONGEST_NOTE] = [253, 1024];

/** The report of a condition. */
type ConditionReport = Extract<ClusterReport, { readonly kind: 'condition' }>;

/** Who reports. */
export interface EventOptions {
  /** The component, as `ovn-uplinks-cluster-manager`. */
  readonly controller: string;
  /** Its instance, as the name of the pod. */
  readonly instance: string;
  /** The uid of an object such as `Uplink/blue`, by which `kubectl describe` finds its events; absent where it is gone. */
  readonly uidOf: (object: string) => string | undefined;
}

/** The Event for one reason of an object. */
interface Series {
  /** The name of the Event; absent before it is written. */
  name?: string;
  count: number;
  lastAt: number;
  lastTime: string;
  report: ConditionReport;
  isPending: boolean;
}

/** The known state of an object. */
interface Subject {
  /** Of another uid, an object is another one. */
  readonly uid: string | undefined;
  writableAt: number;
  /** The reasons of its conditions, by type. */
  readonly reasons: Map<string, string>;
  /** By type and reason. */
  readonly series: Map<string, Series>;
}

/**
 * Writes an Event where the reason of a condition changes, and counts those that come back with the same message: one write a second for each object. Of an object that is reported for the first time, which may be
 * after a restart, only what is wrong is one. Best effort: nothing waits for it, and what cannot be written is left out.
 */
export class KubernetesEvents {
  readonly #server: Pick<ApiServer, 'send'>;
  readonly #options: EventOptions;
  readonly #subjects = new Map<string, Subject>();
  #writing: Promise<void> | undefined;
  /** The number of objects above which those that are gone are forgotten. */
  #sweepAbove = FEW_OBJECTS;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(server: Pick<ApiServer, 'send'>, options: EventOptions) {
    this.#server = server;
    this.#options = options;
  }

  /** Takes a report of the cluster loop. Returns at once, and never throws. */
  report(report: ClusterReport): void {
    if (report.kind !== 'condition' || this.#isClosed) return;
    const { object, type, reason } = report;
    const subject = this.#subjectOf(object);
    const former = subject.reasons.get(type);
    if (former === reason) return;
    subject.reasons.set(type, reason);
    if (former === undefined && isExpected(report)) return;
    const now = performance.now();
    for (const [key, { lastAt, isPending }] of subject.series)
      if (!isPending && now - lastAt > SERIES_INTERVAL) subject.series.delete(key);
    const key = seriesKey(report);
    const series = subject.series.get(key);
    const occurrence = { lastAt: now, lastTime: microTime(), report, isPending: true };
    // An Event keeps its note, and people look at the nodes that it names.
    if (series?.report.message !== report.message) subject.series.set(key, { ...occurrence, count: 1 });
    else Object.assign(series, occurrence, { count: series.count + 1 });
    this.#schedule();
  }

  /** Leaves out what has not been written. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#writing;
  }

  /** The known state of an object: nothing if another one has its name now. */
  #subjectOf(object: string): Subject {
    const uid = this.#options.uidOf(object);
    const known = this.#subjects.get(object);
    if (known !== undefined && (uid === undefined || known.uid === uid)) return known;
    const subject: Subject = { uid, writableAt: 0, reasons: new Map(), series: new Map() };
    this.#subjects.set(object, subject);
    if (this.#subjects.size > this.#sweepAbove) this.#forgetGone();
    return subject;
  }

  /** Forgets objects that are gone. Not at each new one: of many objects all would be looked at for each. */
  #forgetGone(): void {
    for (const [object, { series }] of this.#subjects)
      if (this.#options.uidOf(object) === undefined && pendingOf(series) === undefined) this.#subjects.delete(object);
    this.#sweepAbove = Math.max(FEW_OBJECTS, 2 * this.#subjects.size);
  }

  /** One write at a time: a roll-out may not have all other requests wait. */
  #schedule(): void {
    if (this.#writing !== undefined || this.#isClosed) return;
    clearTimeout(this.#timer);
    const pending = [...this.#subjects.values()].filter(({ series }) => pendingOf(series) !== undefined);
    const [next] = pending.sort((left, right) => left.writableAt - right.writableAt);
    if (next === undefined) return;
    this.#timer = setTimeout(
      () => {
        this.#writing = this.#write(next).finally(() => {
          this.#writing = undefined;
          this.#schedule();
        });
      },
      Math.max(0, next.writableAt - performance.now()),
    );
  }

  async #write(subject: Subject): Promise<void> {
    const series = pendingOf(subject.series);
    if (series === undefined) return;
    series.isPending = false;
    const { name } = series;
    if (name === undefined) await this.#create(subject, series);
    else await this.#continue(name, series);
    // From its end on: it may have waited for the API server.
    subject.writableAt = performance.now() + WRITE_INTERVAL;
  }

  async #create(subject: Subject, series: Series): Promise<void> {
    const { report, count, lastTime } = series;
    const key = seriesKey(report);
    const { object, type, status, reason, message } = report;
    const { kind, namespace, name: objectName } = partsOf(object);
    const { uid } = subject;
    const defined = Object.values(kinds).find((each) => each.kind === kind);
    const name = eventName(objectName);
    const body = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name, namespace: namespace ?? DEFAULT_NAMESPACE },
      eventTime: lastTime,
      ...(count > 1 && { series: { count, lastObservedTime: lastTime } }),
      type: isExpected(report) ? 'Normal' : 'Warning',
      reason,
      action: `${type}Is${status}`,
      note: shortened(message === '' ? `${type} is ${status}` : message),
      reportingController: this.#options.controller,
      reportingInstance: this.#options.instance.slice(0, 128),
      regarding: {
        kind,
        name: objectName,
        ...(namespace !== undefined && { namespace }),
        ...(defined && { apiVersion: apiVersionOf(defined) }),
        ...(uid !== undefined && { uid }),
      },
    };
    const created = await this.#server.send({ method: 'POST', path: eventsPath(object), body });
    if (created.ok) series.name = name;
    else if (!series.isPending && subject.series.get(key) === series) subject.series.delete(key);
  }

  async #continue(name: string, series: Series): Promise<void> {
    const { count, lastTime, report } = series;
    const result = await this.#server.send({
      method: 'PATCH',
      path: `${eventsPath(report.object)}/${encodeURIComponent(name)}`,
      contentType: 'application/merge-patch+json',
      body: { series: { count, lastObservedTime: lastTime } },
    });
    if (result.ok || result.failure.status !== 404) return;
    // Events are deleted after an hour: the next write makes another one.
    delete series.name;
    series.isPending = true;
  }
}

const seriesKey = ({ type, reason }: ConditionReport) => `${type} ${reason}`;

/** Whether a condition says that all is well. */
function isExpected({ type, status }: ConditionReport): boolean {
  return (type === 'Degraded') === (status === 'False');
}

/** The series that has waited for the longest time. */
function pendingOf(series: ReadonlyMap<string, Series>): Series | undefined {
  return [...series.values()].filter(({ isPending }) => isPending).sort((left, right) => left.lastAt - right.lastAt)[0];
}

/** An object such as `Uplink/blue` or `UserDefinedNetwork/demo/blue`. */
function partsOf(object: string): { readonly kind: string; readonly namespace?: string; readonly name: string } {
  const [kind = '', first = '', second] = object.split('/');
  return second === undefined ? { kind, name: first } : { kind, namespace: first, name: second };
}

/** An Event is in the namespace of its object. */
function eventsPath(object: string): string {
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

function microTime(): string {
  return `${new Date().toISOString().slice(0, -1)}000Z`;
}
