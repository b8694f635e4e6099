import type { ApplyResult } from '../ports/apply-result.ts';
import type { RegistrationStore } from '../ports/registration-store.ts';

const refused: Promise<ApplyResult> = Promise.resolve({
  done: false,
  error: 'networks are provided as a whole only in a cluster with an API server',
  isRefused: true,
});

/** The registration of a node without an API server. */
export const noRegistration: RegistrationStore = {
  storeReport: () => refused,
  annotateNode: () => refused,
};
