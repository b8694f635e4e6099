import type { LabelSelector } from '../../api/label-selector.ts';
import { counted } from '../../basics/names/counted.ts';
import { nameSample } from '../node-sample.ts';

/** A namespace that several primary networks select. */
export interface SharedNamespace {
  readonly namespace: string;
  /** The networks other than the one that is meant, as `Kind/name` or `Kind/namespace/name`. */
  readonly others: readonly string[];
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}

/**
 * The consequence where several networks select a namespace.
 *
 * @param selector of the network; absent for a UserDefinedNetwork
 */
export function sharedNamespacesSentence(shared: readonly SharedNamespace[], selector?: LabelSelector): string {
  const names = nameSample(shared.map(({ namespace, others }) => `${namespace} (${nameSample(others)})`));
  const why = selector !== undefined && isEmpty(selector) ? 'an empty selector selects all namespaces; ' : '';
  return `${why}new pods are refused in ${counted(shared.length, 'namespace')} that other networks select too: ${names}`;
}
