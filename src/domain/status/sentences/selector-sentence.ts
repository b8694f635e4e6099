import type { SelectorProblem } from '../../selection/label-selector.ts';

/** Says why a selector cannot be evaluated. */
export function selectorSentence({ kind, key, detail }: SelectorProblem): string {
  switch (kind) {
    case 'operator-unknown':
      return `operator ${JSON.stringify(detail)} on key ${JSON.stringify(key)} is not one of In, NotIn, Exists, DoesNotExist`;
    case 'values-missing':
      return `operator ${detail} on key ${JSON.stringify(key)} needs values`;
    case 'values-not-allowed':
      return `operator ${detail} on key ${JSON.stringify(key)} takes no values`;
    case 'key-invalid':
      return `${JSON.stringify(key)} is not a valid label key`;
    case 'value-invalid':
      return `${JSON.stringify(detail)} is not a valid value of label ${JSON.stringify(key)}`;
  }
}
