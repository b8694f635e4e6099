import type { Leadership } from '../../ports/cluster/leadership.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import type { ApiResult, ApiServer } from './api-server.ts';
import {
  initialLeaseState,
  isLeaderAt,
  type LeaseEffect,
  type LeaseEvent,
  type LeaseRecord,
  type LeaseState,
  leaseStep,
  type LeaseTimes,
  type StoredLease,
} from './lease-step.ts';

/** As the components of Kubernetes have them by default. */
export const LEASE_TIMES: LeaseTimes = { lease: 15_000, renewDeadline: 10_000, retry: 2000 };

/** The Lease, and who wants it. */
export interface LeaseOptions {
  readonly namespace: string;
  readonly name: string;
  /** Unique to the process: a restarted one is another candidate. */
  readonly identity: string;
  readonly times?: LeaseTimes;
}

type Occurrence = LeaseEvent extends infer Event ? (Event extends unknown ? Omit<Event, 'at' | 'time'> : never) : never;

/**
 * Leadership by a Lease (coordination.k8s.io/v1): runs the effects of `leaseStep`. Needs the verbs get, create and patch. Requests of the API server should
 * time out within half of the renew deadline, so that there is another attempt.
 */
export class LeaseLeadership implements Leadership {
  readonly #server: Pick<ApiServer, 'send'>;
  readonly #path: string;
  readonly #name: string;
  #state: LeaseState;
  #timer: NodeJS.Timeout | undefined;
  #onLost: (reason: string) => void = () => undefined;
  #acquired: PromiseWithResolvers<boolean> | undefined;
  #released: PromiseWithResolvers<undefined> | undefined;

  constructor(server: Pick<ApiServer, 'send'>, { namespace, name, identity, times = LEASE_TIMES }: LeaseOptions) {
    this.#server = server;
    this.#path = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases`;
    this.#name = name;
    this.#state = initialLeaseState(identity, times);
  }

  get isLeader(): boolean {
    return isLeaderAt(this.#state, performance.now());
  }

  acquire(): Promise<boolean> {
    this.#acquired = Promise.withResolvers();
    this.#dispatch({ kind: 'acquire' });
    return this.#acquired.promise;
  }

  onLost(listener: (reason: string) => void): void {
    this.#onLost = listener;
  }

  release(): Promise<void> {
    this.#released = Promise.withResolvers();
    this.#dispatch({ kind: 'release' });
    return this.#released.promise;
  }

  #dispatch(occurrence: Occurrence): void {
    const time = `${new Date().toISOString().slice(0, -1)}000Z`;
    const [state, effects] = leaseStep(this.#state, { ...occurrence, at: performance.now(), time });
    this.#state = state;
    for (const effect of effects) this.#run(effect);
  }

  #run(effect: LeaseEffect): void {
    switch (effect.do) {
      case 'read':
        void this.#server
          .send({ method: 'GET', path: `${this.#path}/${encodeURIComponent(this.#name)}` })
          .then((result) => {
            const isAbsent = !result.ok && result.failure.status === 404;
            this.#dispatch(isAbsent ? { kind: 'read' } : eventOf('read', result));
          });
        break;
      case 'write':
        void this.#write(effect.record, effect.version).then((result) => {
          this.#dispatch(eventOf('written', result));
        });
        break;
      case 'set-alarm':
        clearTimeout(this.#timer);
        if (effect.at !== Number.POSITIVE_INFINITY) {
          const delay = Math.max(0, Math.ceil(effect.at - performance.now()));
          this.#timer = setTimeout(() => {
            this.#dispatch({ kind: 'alarm' });
          }, delay);
        }
        break;
      case 'acquired':
        this.#acquired?.resolve(true);
        break;
      case 'lost':
        this.#onLost(effect.reason);
        break;
      case 'released':
        this.#acquired?.resolve(false);
        this.#released?.resolve(undefined);
        break;
    }
  }

  /** Writes the Lease; what others have added to it stays. */
  #write(spec: LeaseRecord, version: string | undefined): Promise<ApiResult> {
    const metadata = { name: this.#name, ...(version !== undefined && { resourceVersion: version }) };
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
    if (version === undefined) return this.#server.send({ method: 'POST', path: this.#path, body });
    const path = `${this.#path}/${encodeURIComponent(this.#name)}`;
    return this.#server.send({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body });
  }
}

function eventOf(kind: 'read' | 'written', result: ApiResult): Occurrence {
  return result.ok ? { kind, lease: leaseIn(result.value) } : { kind: 'failed', message: result.failure.message };
}

/** A Lease; missing fields have the values of a Lease without a holder. */
function leaseIn({ metadata, spec }: JsonObject): StoredLease {
  const { resourceVersion } = isJsonObject(metadata) ? metadata : {};
  const { holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions } = isJsonObject(spec)
    ? spec
    : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const number = (value: unknown) => (typeof value === 'number' ? value : 0);
  return {
    version: text(resourceVersion),
    record: {
      holderIdentity: text(holderIdentity),
      leaseDurationSeconds: number(leaseDurationSeconds),
      acquireTime: text(acquireTime),
      renewTime: text(renewTime),
      leaseTransitions: number(leaseTransitions),
    },
  };
}
