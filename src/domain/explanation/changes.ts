/**
 * Finds changes of the verdict: single changes are tried on the snapshot, planned, and reported only if the verdict differs, so no separate rule can
 * disagree with the decisions.
 */
import type { Network } from '../network/network.ts';
import type { Node } from '../api/node.ts';
import { planNode } from '../plan/plan-node.ts';
import { candidateChanges } from './candidate-changes.ts';
import type { CandidateVerdict, NetworkVerdict } from './explanation.ts';
import type { Situation } from './situation.ts';
import { plannedVerdict, verdictText } from './verdict.ts';

/** Maximum number of reported changes. */
const MAX_CHANGES = 3;

/** The first changes that lead to verdicts which differ from the present one and from each other. */
export function decisiveChanges(
  situation: Situation,
  network: Network,
  node: Node,
  verdict: NetworkVerdict,
): readonly CandidateVerdict[] {
  const byText = new Map<string, CandidateVerdict>();
  for (const { change, after } of candidateChanges(situation, network, node)) {
    if (byText.size === MAX_CHANGES) break;
    const { cluster, node: snapshot, settings } = after();
    const other = plannedVerdict(planNode(cluster, snapshot, settings), network.key);
    const text = verdictText(other);
    if (text !== verdictText(verdict) && !byText.has(text)) byText.set(text, { change, verdict: other });
  }
  return [...byText.values()];
}
