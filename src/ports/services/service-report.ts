/** A report on Services of networks, for logs and metrics. */
export type ServiceReport =
  /** Load balancers were changed, and OVN has confirmed it. */
  | {
      readonly kind: 'services-programmed';
      /** Load balancers that were created, changed and deleted. */
      readonly changes: number;
      /** From the first change of an object until OVN has confirmed. */
      readonly milliseconds: number;
    }
  /** Numbers of Services, and of load balancers that they have on this node. */
  | { readonly kind: 'services-served'; readonly services: number; readonly loadBalancers: number }
  | { readonly kind: 'services-warning'; readonly text: string }
  | {
      readonly kind: 'services-failed';
      readonly error: string;
      /** Milliseconds until the next attempt, unless something changes before. */
      readonly retryIn: number;
    };
