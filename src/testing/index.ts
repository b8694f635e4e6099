/**
 * For people who test routing-domain logic of their own: generated clusters, nodes and stories, a model of a node that operations are done to,
 * and the laws that every plan obeys.
 *
 * @packageDocumentation
 */
export {
  type BriefBridge,
  type BriefLink,
  type BriefNode,
  type BriefPort,
  type BriefRoute,
  completeNode,
} from './brief-node.ts';
export { briefOf } from './brief-of.ts';
export type { Case } from './case.ts';
export { applyAll, converge, type Convergence } from './convergence.ts';
export { describeCase } from './describe-case.ts';
export { describeStory } from './describe-story.ts';
export { disturbed } from './disturbance.ts';
export { cases } from './generators/cases.ts';
export { clusters } from './generators/clusters.ts';
export { nodes } from './generators/nodes.ts';
export { nodeSelectors } from './generators/selectors.ts';
export { settings } from './generators/settings.ts';
export { stories } from './generators/stories.ts';
export { checkConverges } from './laws/converges.ts';
export { checkCrashSafe } from './laws/crash-safe.ts';
export { checkHistoryFree } from './laws/history-free.ts';
export { checkInverse } from './laws/inverse.ts';
export { checkIsolated } from './laws/isolated.ts';
export { checkNoBounce } from './laws/no-bounce.ts';
export { checkOwnsOnlyItsOwn } from './laws/owns-only-its-own.ts';
export { checkPure } from './laws/pure.ts';
export { checkReachable } from './laws/reachable.ts';
export { checkRecovers } from './laws/recovers.ts';
export { checkReversible } from './laws/reversible.ts';
export { checkSymmetric } from './laws/symmetric.ts';
export { LawViolation } from './laws/violation.ts';
export { checkLaws } from './laws.ts';
export { type CrashPoint, NodeModel, Nonsense } from './node-model.ts';
export { normalForm } from './normal-form.ts';
export { type Files, printedFiles, scenarioFiles, storyFiles } from './scenario-files.ts';
export { chooser, shuffle } from './shuffle.ts';
export { type Step, type Story, type Telling, tellings } from './story.ts';
