/** Something wrong with an object. */
export interface ObjectFinding {
  /** The path in the object, such as `spec.nodeConfigs[0].type`; empty for the object itself. */
  readonly path: string;
  /** The fault and what was expected. */
  readonly message: string;
  /** `error`: the object does not conform to its kind. `warning`: the API server would reject or change it, but its meaning is clear. */
  readonly severity: 'error' | 'warning';
}
