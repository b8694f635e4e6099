/**
 * Events of the cluster, which `kubectl describe` and `kubectl get events` print.
 */
import type { ObjectWarning } from '../../domain/api/object-warning.ts';
import { objectText } from '../../domain/objects/object-write.ts';
import type { ClusterReport } from '../../ports/cluster/cluster-report.ts';
import type { ObjectWarnings } from '../../ports/cluster/object-warnings.ts';
import type { ApiServer } from './api-server.ts';
import { eventObject, eventsPath, microTime, type Occurrence } from './event-object.ts';

/** Milliseconds between writes of events of an object. */
const WRITE_INTERVAL = 1000;

/** Milliseconds that these become, doubled with each warning, in the end: tenants cause warnings as often as they like. */
const LONGEST_INTERVAL = 300_000;

/** Milliseconds within which a reason that comes back continues its series. */
const SERIES_INTERVAL = 360_000;

/** So many objects are remembered though they are gone. */
const FEW_OBJECTS = 100;

/** The action that has led to a warning, which the API asks for. */
const WARNING_ACTION = 'Reconcile';

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
  readonly key: string;
  /** The name of the Event; absent before it is written. */
  name?: string;
  count: number;
  lastAt: number;
  lastTime: string;
  occurrence: Occurrence;
  isPending: boolean;
}

/** The known state of an object. */
interface Subject {
  /** Of another uid, an object is another one. */
  readonly uid: string | undefined;
  writableAt: number;
  /** Milliseconds from the last write to the next one. */
  interval: number;
  /** The reasons of its conditions, by type. */
  readonly reasons: Map<string, string>;
  /** By type of condition and reason, or by the reason of a warning. */
  readonly series: Map<string, Series>;
}

/**
 * Writes an Event where the reason of a condition changes, or there is a warning, and counts those that come back with the same message: one write a second for each object, and of
 * warnings fewer and fewer. Of an object that is reported for the first time, which may be after a restart, only what is wrong is one. Best effort: nothing waits for it, and what cannot be written is left out.
 */
export class KubernetesEvents implements ObjectWarnings {
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
    if (report.kind === 'object-warning') this.warn(report.warning);
    if (report.kind !== 'condition' || this.#isClosed) return;
    const { object, type, reason } = report;
    const subject = this.#subjectOf(object, this.#options.uidOf(object));
    const former = subject.reasons.get(type);
    if (former === reason) return;
    subject.reasons.set(type, reason);
    if (former === undefined && isExpected(report)) return;
    this.#record(subject, `${type} ${reason}`, occurrenceOf(report));
  }

  warn(warning: ObjectWarning): void {
    if (this.#isClosed) return;
    const { reason, message: note, uid } = warning;
    const object = objectText(warning);
    const subject = this.#subjectOf(object, uid);
    this.#record(subject, reason, { object, type: 'Warning', reason, action: WARNING_ACTION, note });
  }

  #record(subject: Subject, key: string, occurrence: Occurrence): void {
    const now = performance.now();
    for (const [each, { lastAt, isPending }] of subject.series)
      if (!isPending && now - lastAt > SERIES_INTERVAL) subject.series.delete(each);
    const series = subject.series.get(key);
    const last = { lastAt: now, lastTime: microTime(), occurrence, isPending: true };
    // An Event keeps its note, and people look at the nodes that it names.
    if (series?.occurrence.note !== occurrence.note) subject.series.set(key, { key, ...last, count: 1 });
    else Object.assign(series, last, { count: series.count + 1 });
    this.#schedule();
  }

  /** Leaves out what has not been written. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#writing;
  }

  /** The known state of an object: nothing if another one has its name now. */
  #subjectOf(object: string, uid: string | undefined): Subject {
    const known = this.#subjects.get(object);
    if (known !== undefined && (uid === undefined || known.uid === uid)) return known;
    const now = performance.now();
    const subject: Subject = { uid, writableAt: now, interval: WRITE_INTERVAL, reasons: new Map(), series: new Map() };
    this.#subjects.set(object, subject);
    if (this.#subjects.size > this.#sweepAbove) this.#forgetGone();
    return subject;
  }

  /** Forgets objects that are gone. Not at each new one: of many objects all would be looked at for each. */
  #forgetGone(): void {
    const now = performance.now();
    for (const [object, { series, reasons, writableAt }] of this.#subjects) {
      // Of an object without conditions nothing needs to be known once warnings may be written again.
      const isGone = reasons.size > 0 ? this.#options.uidOf(object) === undefined : now - writableAt > SERIES_INTERVAL;
      if (isGone && pendingOf(series) === undefined) this.#subjects.delete(object);
    }
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
    const now = performance.now();
    if (now - subject.writableAt > SERIES_INTERVAL) subject.interval = WRITE_INTERVAL;
    // From its end on: it may have waited for the API server.
    subject.writableAt = now + subject.interval;
    // Objects with conditions are not the ones that tenants can change as often as they like.
    if (subject.reasons.size === 0) subject.interval = Math.min(2 * subject.interval, LONGEST_INTERVAL);
  }

  async #create(subject: Subject, series: Series): Promise<void> {
    const { key, occurrence, count, lastTime } = series;
    const { controller, instance } = this.#options;
    const body = eventObject(occurrence, { controller, instance, uid: subject.uid, count, lastTime });
    const created = await this.#server.send({ method: 'POST', path: eventsPath(occurrence.object), body });
    if (created.ok) series.name = body.metadata.name;
    else if (!series.isPending && subject.series.get(key) === series) subject.series.delete(key);
  }

  async #continue(name: string, series: Series): Promise<void> {
    const { count, lastTime, occurrence } = series;
    const result = await this.#server.send({
      method: 'PATCH',
      path: `${eventsPath(occurrence.object)}/${encodeURIComponent(name)}`,
      contentType: 'application/merge-patch+json',
      body: { series: { count, lastObservedTime: lastTime } },
    });
    if (result.ok || result.failure.status !== 404) return;
    // Events are deleted after an hour: the next write makes another one.
    delete series.name;
    series.isPending = true;
  }
}

/** Whether a condition says that all is well. */
function isExpected({ type, status }: ConditionReport): boolean {
  return (type === 'Degraded') === (status === 'False');
}

function occurrenceOf(report: ConditionReport): Occurrence {
  const { object, type, status, reason, message } = report;
  return {
    object,
    type: isExpected(report) ? 'Normal' : 'Warning',
    reason,
    action: `${type}Is${status}`,
    note: message === '' ? `${type} is ${status}` : message,
  };
}

/** The series that has waited for the longest time. */
function pendingOf(series: ReadonlyMap<string, Series>): Series | undefined {
  return [...series.values()].filter(({ isPending }) => isPending).sort((left, right) => left.lastAt - right.lastAt)[0];
}
