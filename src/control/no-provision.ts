import type { ApplyResult } from '../ports/apply-result.ts';
import type { ProvisionStore } from '../ports/provision-store.ts';

const refused: Promise<ApplyResult> = Promise.resolve({ done: false, error: 'networks are not provided here' });

/** Where ovn-uplinks provides no networks. */
export const noProvision: ProvisionStore = {
  storeClaims: () => refused,
  writeNodeId: () => refused,
  writeMetadata: () => refused,
  writeProvidedStatus: () => refused,
  writeDefinition: () => refused,
  deleteDefinition: () => refused,
};
