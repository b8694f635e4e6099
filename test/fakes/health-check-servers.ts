import type { HealthCheck } from '../../src/domain/services/health-checks.ts';
import type { HealthCheckServers } from '../../src/ports/services/health-check-servers.ts';

/** Servers of health checks that open no port. */
export class FakeHealthCheckServers implements HealthCheckServers {
  /** The health checks that were to be answered, of each call. */
  readonly asked: (readonly HealthCheck[])[] = [];
  /** The ports that other programs use. */
  readonly used = new Set<number>();
  isClosed = false;

  serve(checks: readonly HealthCheck[]): Promise<ReadonlyMap<number, string>> {
    this.asked.push(checks);
    const refused = checks.filter(({ port }) => this.used.has(port));
    return Promise.resolve(new Map(refused.map(({ port }) => [port, 'another program uses it'])));
  }

  close(): void {
    this.isClosed = true;
  }

  /** Those that are answered now, as `NAME PORT COUNT`. */
  get answered(): readonly string[] {
    const served = (this.asked.at(-1) ?? []).filter(({ port }) => !this.used.has(port));
    return served.map(({ name, port, localEndpoints }) => `${name} ${String(port)} ${String(localEndpoints)}`);
  }
}
