/**
 * Checks laws on generated cases and stories.
 */
import { defaultSettings } from '../../src/domain/index.ts';
import {
  briefOf,
  type Case,
  cases,
  checkLaw,
  completeNode,
  type Engine,
  type Law,
  MOST_FAULTS,
  scenarioFiles,
  servedCases,
  stepCases,
  type StepLaw,
  stories,
  type Story,
  storyFiles,
} from '../../src/testing/index.ts';
import { unusualSettings } from '../../src/testing/scenario-files.ts';
import {
  type Checked,
  type Counterexample,
  counterexampleOf,
  type RunOptions,
  checkProperty,
  type Subjects,
} from './check-property.ts';

const ofCases: Subjects<Case> = {
  arbitrary: cases,
  partsOf: ({ cluster, nodes, settings }) => ({
    steps: [{ cluster }],
    nodes: nodes.map(briefOf),
    settings: unusualSettings(settings),
  }),
  subjectOf: ({ steps: [step], nodes, settings }) =>
    step && { cluster: step.cluster, nodes: nodes.map(completeNode), settings: { ...defaultSettings, ...settings } },
  filesOf: scenarioFiles,
};

const ofStories: Subjects<Story> = {
  arbitrary: stories,
  partsOf: ({ node, steps, settings }) => ({ steps, nodes: [briefOf(node)], settings: unusualSettings(settings) }),
  subjectOf: ({ steps, nodes: [node], settings }) =>
    node && { steps, node: completeNode(node), settings: { ...defaultSettings, ...settings } },
  filesOf: storyFiles,
};

/** Checks a law on generated cases or stories. @throws BrokenLaw if the engine violates it. */
export function checkLawOnGenerated(law: Law, engine: Engine, extent: RunOptions): Checked {
  const { name, promise } = law;
  switch (law.about) {
    case 'cases':
      return checkProperty(
        { name, promise, check: checkLaw(law, engine) },
        law.isOfServices === true ? { ...ofCases, arbitrary: servedCases } : ofCases,
        extent,
      );
    case 'steps':
      return checkProperty(
        { name, promise, check: checkLaw(law, engine), narrow: violatingStep(law, engine) },
        ofStories,
        extent,
      );
    case 'stories':
      return checkProperty({ name, promise, check: checkLaw(law, engine) }, ofStories, extent);
  }
}

/** The step of a story that violates a law, as a case whose node has everything that earlier steps left. */
function violatingStep(law: StepLaw, engine: Engine) {
  return (story: Story, seed: number): Counterexample | undefined => {
    const check = (step: Case) => law.check(engine, step, seed, MOST_FAULTS);
    for (const step of stepCases(engine, law.name, story, seed)) {
      if (throws(() => check(step))) return counterexampleOf(ofCases, check, step);
    }
    return undefined;
  };
}

function throws(check: () => unknown): boolean {
  try {
    check();
  } catch {
    return true;
  }
  return false;
}
