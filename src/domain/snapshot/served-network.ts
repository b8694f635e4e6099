/** Why the Services of a network are not all served on a node. */
export interface NotServed {
  readonly reason: 'ServiceProgrammingFailed' | 'ServicesPending';
  /** The first Service of which that is so, as NAMESPACE/NAME, and why. */
  readonly message: string;
}

/** How the Services of a network are served on a node, as it is reported (docs/design/services.md, "Conditions"). */
export interface ServedNetwork {
  /** Its name in OVN. */
  readonly networkName: string;
  /** Absent where OVN has confirmed the load balancers of all of them, or there are none. */
  readonly failure?: NotServed;
}
