/**
 * For tests of routing-domain logic: generated clusters, nodes and stories, a model of a node that operations are applied to, and the laws that
 * every engine must obey.
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
export { applyAll, converge, type Convergence, type Surroundings } from './convergence.ts';
export { describeCase } from './describe-case.ts';
export { describeStory } from './describe-story.ts';
export { disturbed } from './disturbance.ts';
export { type Engine, engine } from './engine.ts';
export { frozen } from './frozen.ts';
export { cases } from './generators/cases.ts';
export { servedCases } from './generators/served-cases.ts';
export { clusters } from './generators/clusters.ts';
export { nodes } from './generators/nodes.ts';
export { bridges } from './generators/bridges.ts';
export { packetsTo } from './generators/traffic/packets.ts';
export { traffic } from './generators/traffic/traffic.ts';
export { nodeSelectors } from './generators/selectors.ts';
export { settings } from './generators/settings.ts';
export { stories } from './generators/stories.ts';
export { exceptions } from './laws/exceptions.ts';
export type { CaseLabels } from './laws/labels.ts';
export { type LawName, LawViolation } from './laws/violation.ts';
export { type CaseLaw, checkLaw, checkLaws, type Law, laws, MOST_FAULTS, type StepLaw, type StoryLaw } from './laws.ts';
export { type CrashPoint, NodeModel, RefusedOperation } from './node-model.ts';
export { normalForm } from './normal-form.ts';
export { type Files, printedFiles, scenarioFiles, storyFiles } from './scenario-files.ts';
export { chooser, shuffle } from './shuffle.ts';
export { type SeededFault, seededFaults } from './seeded-faults.ts';
export { stepCases } from './step-cases.ts';
export { type Step, type Story, type Variant, variantsOf } from './story.ts';
export { bridgeModel, packetFrom, type Pipeline, pipeline } from './pipeline/bridge-model.ts';
export { pipelineProperties } from './pipeline/properties.ts';
export { type PipelineProperty, PipelineViolation } from './pipeline/property.ts';
export { type PipelineFault, pipelineFaults } from './pipeline/seeded-faults.ts';
export type { FormerUplink, Programmed, Traffic } from './pipeline/traffic.ts';
export { evaluate, type SwitchStep, type SwitchState, type Verdict } from '../domain/datapath/switch-model/evaluate.ts';
