import type { ApplyResult } from '../ports/apply-result.ts';
import type { RegistrationStore } from '../ports/registration-store.ts';

const refused: Promise<ApplyResult> = Promise.resolve({
  done: false,
  error: 'networks are provided as a whole only in a cluster with an API server',
  isRefused: true,
});

/** Where an agent has no API server to tell of its node. */
export const noRegistration: RegistrationStore = {
  storeReport: () => refused,
  annotateNode: () => refused,
};
