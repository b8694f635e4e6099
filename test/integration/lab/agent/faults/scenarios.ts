import type { ClusterSnapshot } from '../../../../../src/domain/index.ts';
import { type Client, podsAndHosts } from '../../packets/clients.ts';
import { blue, clusterWith, red } from '../../packets/tenant.ts';
import { withoutTenants, withTenants } from './scenario.ts';

/** The tenants that are set up and removed. */
interface FaultScenario {
  readonly withTenants: ClusterSnapshot;
  readonly withoutTenants: ClusterSnapshot;
  /** The socket of the Northbound database; absent where only the host's half of networks is programmed. */
  readonly northbound?: string;
  /** Who is answered once the tenants are set up. */
  readonly clients: readonly Client[];
}

/** Tenants whose packets pass (packets/packet-node.ts). */
export const packetTenants = [blue, red];
const withPackets = clusterWith(packetTenants);

const scenarios = {
  /** The host's half of networks, with all that an administrator may configure. */
  host: { withTenants, withoutTenants, clients: [] },
  /** The whole of networks. */
  packets: {
    withTenants: withPackets,
    withoutTenants: { ...withPackets, clusterUserDefinedNetworks: [], routeAdvertisements: [] },
    northbound: '/run/ovn/ovnnb_db.sock',
    clients: podsAndHosts(packetTenants),
  },
} satisfies Readonly<Record<string, FaultScenario>>;

export type ScenarioName = keyof typeof scenarios;

/** A scenario by its name. */
export function scenarioNamed(name: ScenarioName): FaultScenario {
  return scenarios[name];
}
