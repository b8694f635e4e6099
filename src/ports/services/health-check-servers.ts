import type { HealthCheck } from '../../domain/services/health-checks.ts';

/** The servers that answer load balancers at the ports of health checks, on this node. */
export interface HealthCheckServers {
  /**
   * Has these health checks answered, each at its port, and no others. One at a time. Never rejects.
   *
   * @returns why a port cannot be served, in one line, for each such port
   */
  serve(checks: readonly HealthCheck[]): Promise<ReadonlyMap<number, string>>;
  /** Answers none any more, and closes all connections. */
  close(): void;
}
