import type { Endpoint } from '../api/endpoint-slice.ts';

/** Names an endpoint: its pod, or the addresses that a user has written. */
export function endpointName({ targetRef, addresses }: Endpoint): string {
  return targetRef?.kind === 'Pod' ? `Pod/${targetRef.name ?? ''}` : addresses.join(', ');
}
