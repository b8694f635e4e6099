/**
 * Engines with one fault each, which show that the laws can fail.
 */
import { faultsOfEgress } from './faults/faults-of-egress.ts';
import { faultsOfLoadBalancers } from './faults/faults-of-load-balancers.ts';
import { faultsOfMirrors } from './faults/faults-of-mirrors.ts';
import { faultsOfOperations } from './faults/faults-of-operations.ts';
import { faultsOfOwnership } from './faults/faults-of-ownership.ts';
import { faultsOfPlans } from './faults/faults-of-plans.ts';
import { faultsOfTenants } from './faults/faults-of-tenants.ts';
import type { SeededFault } from './faults/faulty-engine.ts';

export type { SeededFault };

/** All seeded faults, at least three for each law. */
export const seededFaults: readonly SeededFault[] = [
  ...faultsOfPlans,
  ...faultsOfOwnership,
  ...faultsOfOperations,
  ...faultsOfEgress,
  ...faultsOfMirrors,
  ...faultsOfLoadBalancers,
  ...faultsOfTenants,
].sort((one, other) => one.law.localeCompare(other.law));
