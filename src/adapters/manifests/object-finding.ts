/** Something about one object that a person has to know. */
export interface ObjectFinding {
  /** Where in the object, as `spec.nodeConfigs[0].type`; empty for the object itself. */
  readonly path: string;
  /** What is wrong and what was expected, in a sentence without a full stop. */
  readonly message: string;
  /** `unusable`: the object cannot be read as its kind. `odd`: the API server would refuse or change it, but what it says is clear. */
  readonly severity: 'unusable' | 'odd';
}
