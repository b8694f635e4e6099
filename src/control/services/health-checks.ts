/**
 * Has the health checks of Services answered on a node, as the Services are after each repair.
 */
import { type HealthCheck, heldHealthChecks, type HeldHealthChecks } from '../../domain/services/health-checks.ts';
import type { DesiredService } from '../../domain/services/services-on-node.ts';
import {
  takenHealthCheckSentence,
  unansweredHealthCheckSentence,
} from '../../domain/status/sentences/health-check-sentence.ts';
import type { HealthCheckServers } from '../../ports/services/health-check-servers.ts';
import { newTexts } from '../new-warnings.ts';
import { noRetries, retriesAfter } from '../retries.ts';
import { Alarm } from '../time.ts';

/** Needs of health checks. */
export interface HealthChecksPorts {
  readonly servers: HealthCheckServers;
  /** Takes a warning; must not throw. */
  readonly warn: (text: string) => void;
  /** Has it look again, as a port that could not be served is to be tried again; must not throw. */
  readonly again: () => void;
}

type Errors = ReadonlyMap<number, string>;

const serviceOf = ({ namespace, name }: HealthCheck) => `Service ${namespace}/${name}`;

/** Texts of what keeps load balancers from an answer. */
function problems({ held, taken }: HeldHealthChecks, errors: Errors): readonly string[] {
  return [
    ...held.flatMap((check) => {
      const error = errors.get(check.port);
      return error === undefined
        ? []
        : [`health checks of ${serviceOf(check)} cannot be served at port ${String(check.port)}: ${error}`];
    }),
    ...taken.map(
      ({ check, holder }) => `${serviceOf(check)}: ${takenHealthCheckSentence(check.port, serviceOf(holder))}`,
    ),
    ...held.flatMap(({ unansweredVrf, ...check }) =>
      unansweredVrf === undefined
        ? []
        : [`${serviceOf(check)}: HealthCheckUnreachable: ${unansweredHealthCheckSentence(check.port, unansweredVrf)}`],
    ),
  ];
}

/** The health checks of the Services of a node. */
export class HealthChecks {
  readonly #ports: HealthChecksPorts;
  readonly #checks = new Map<string, HealthCheck>();
  readonly #warnNew: (texts: Iterable<string>) => void;
  readonly #alarm: Alarm;
  #retries = noRetries;
  /** Whether something is to be served that is not yet as it should be. */
  #isDue = false;

  constructor(ports: HealthChecksPorts) {
    this.#ports = ports;
    this.#warnNew = newTexts(ports.warn);
    this.#alarm = new Alarm(() => {
      this.#isDue = true;
      ports.again();
    });
  }

  /** Takes over which health check a Service has: what is undecided stays as it is. @param key its key */
  set(key: string, check: DesiredService['healthCheck']): void {
    if (check === 'undecided') return;
    const former = this.#checks.get(key);
    if (check === 'none') this.#checks.delete(key);
    else this.#checks.set(key, check);
    const isSame = JSON.stringify(former) === JSON.stringify(check === 'none' ? undefined : check);
    if (!isSame) this.#isDue = true;
  }

  /** Has all of them answered as they are now, if one has changed or could not be served. One call at a time. Never rejects. */
  async follow(): Promise<void> {
    if (!this.#isDue) return;
    this.#isDue = false;
    const judged = heldHealthChecks(this.#checks.values());
    const errors = await this.#ports.servers.serve(judged.held);
    this.#warnNew(problems(judged, errors));
    this.#retries = retriesAfter(this.#retries, new Set([...errors.keys()].map(String)), performance.now());
    this.#alarm.set(this.#retries.at);
  }

  /** Answers none any more. */
  stop(): void {
    this.#alarm.clear();
    this.#ports.servers.close();
  }
}
