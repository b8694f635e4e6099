import { describeProblem, type Reading } from '../../ports/input-problem.ts';
import type { Row } from '../ovsdb/row.ts';
import { expectedFlows, type FlowsOfChange, queriesOf, type SouthboundQuery } from './expected-flows.ts';

/** The Southbound database. */
export interface SouthboundQueries {
  /** The rows that queries of one transaction find, in their order. Never rejects. */
  select(queries: readonly SouthboundQuery[]): Promise<Reading<readonly (readonly Row[])[]>>;
}

/** Flows of the integration bridge, by its name. */
export interface IntegrationBridgeFlows {
  /** The bridge, and whether it has flows with a cookie. Never rejects. */
  withCookie(cookie: string): Promise<Reading<{ readonly bridge: string; readonly isThere: boolean }>>;
}

/**
 * Whether the flows of a change are on the integration bridge. ovn-controller reports a change as processed (ovn-nb(5), NB_Global, hv_cfg) also if
 * Open vSwitch has refused its flows and it has no connection to the bridge (seen on OVN 23.03).
 */
export class InstalledFlows {
  readonly #southbound: SouthboundQueries;
  readonly #flows: IntegrationBridgeFlows;

  constructor(southbound: SouthboundQueries, flows: IntegrationBridgeFlows) {
    this.#southbound = southbound;
    this.#flows = flows;
  }

  /** Why the flows of a change that is processed are not there, in one line; undefined if they are, or if it is not known which. Never rejects. */
  async problem(change: FlowsOfChange): Promise<string | undefined> {
    const results = await this.#southbound.select(queriesOf(change));
    const expected = results.read ? expectedFlows(change, results.value) : undefined;
    if (expected === undefined) return undefined;
    const found = await this.#flows.withCookie(expected.cookie);
    if (!found.read) return found.problems.map(describeProblem).join('; ');
    const { bridge, isThere } = found.value;
    return isThere ? undefined : missingFlows(expected.of, bridge);
  }
}

/** The message that flows are not there. @param of the port or route that they belong to */
function missingFlows(of: string, bridge: string): string {
  return `ovn-controller has confirmed the change, but its flows for ${of} are not on ${bridge}: Open vSwitch refuses them, or the connection does not stand; see the logs of ovn-controller and ovs-vswitchd`;
}
