/**
 * For people who test routing-domain logic of their own: generated clusters and nodes, and the laws that every plan obeys.
 *
 * @packageDocumentation
 */
export { type BriefBridge, type BriefLink, type BriefNode, type BriefPort, completeNode } from './brief-node.ts';
export type { Case } from './case.ts';
export { describeCase } from './describe-case.ts';
export { cases } from './generators/cases.ts';
export { clusters } from './generators/clusters.ts';
export { nodes } from './generators/nodes.ts';
export { nodeSelectors } from './generators/selectors.ts';
export { checkIsolated } from './laws/isolated.ts';
export { checkPure } from './laws/pure.ts';
export { checkSymmetric } from './laws/symmetric.ts';
export { LawViolation } from './laws/violation.ts';
export { checkLaws } from './laws.ts';
export { chooser, shuffle } from './shuffle.ts';
