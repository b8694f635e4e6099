import type { SelectorProblem } from '../selection/label-selector.ts';

/** Says why nothing can be matched against a selector. */
export function selectorSentence({ kind, key, detail }: SelectorProblem): string {
  switch (kind) {
    case 'operator-unknown':
      return `operator ${JSON.stringify(detail)} on key ${JSON.stringify(key)} is not one of In, NotIn, Exists, DoesNotExist`;
    case 'values-missing':
      return `operator ${detail} on key ${JSON.stringify(key)} needs values`;
    case 'values-not-allowed':
      return `operator ${detail} on key ${JSON.stringify(key)} takes no values`;
    case 'key-invalid':
      return `${JSON.stringify(key)} is no label key`;
    case 'value-invalid':
      return `${JSON.stringify(detail)} is no value of label ${JSON.stringify(key)}`;
  }
}
