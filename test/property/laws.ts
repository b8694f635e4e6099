/**
 * Every law, what it is about, and how many cases of it `scripts/test` tries: all of them together take about two minutes of one core.
 */
import { defaultSettings } from '../../src/domain/index.ts';
import {
  briefOf,
  type Case,
  cases,
  checkConverges,
  checkCrashSafe,
  checkHistoryFree,
  checkInverse,
  checkIsolated,
  checkNoBounce,
  checkOwnsOnlyItsOwn,
  checkPure,
  checkReachable,
  checkRecovers,
  checkReversible,
  checkSymmetric,
  completeNode,
  scenarioFiles,
  stories,
  type Story,
  storyFiles,
} from '../../src/testing/index.ts';
import { unusualSettings } from '../../src/testing/scenario-files.ts';
import { type Extent, hold, type Law, type Subjects } from './hold.ts';

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

/** How many crashes, and how many failures, are tried in a case; the seed decides which. */
const MISHAPS = 6;

const lawsOfCases: readonly Law<Case>[] = [
  {
    name: '1 pure',
    promise: 'the same snapshot gives the same plan, whatever the order of lists and keys',
    runs: 500,
    check: checkPure,
  },
  {
    name: '2 converges',
    promise: 'once the operations of a plan are done, nothing is left to do',
    runs: 1000,
    check: checkConverges,
  },
  {
    name: '3 owns only its own',
    promise: 'nothing of others is changed, but for what goes into a VRF with its interface and comes back',
    runs: 1000,
    check: checkOwnsOnlyItsOwn,
  },
  {
    name: '4 isolated',
    promise: 'what one network does changes nothing for those that share nothing with it',
    runs: 800,
    check: checkIsolated,
  },
  {
    name: '5 symmetric',
    promise: 'a conflict has no winner, and its members are held',
    runs: 800,
    check: checkSymmetric,
  },
  {
    name: '6 reversible',
    promise: 'networks that come and go leave the node as it was',
    runs: 800,
    check: checkReversible,
  },
  {
    name: '7 crash-safe',
    promise: 'whoever crashes anywhere and begins anew comes to the same end',
    runs: 400,
    check: (subject, seed) => checkCrashSafe(subject, MISHAPS, seed),
  },
  {
    name: '8 no bounce',
    promise: 'nothing is removed and made again as it was',
    runs: 1000,
    check: checkNoBounce,
  },
  {
    name: 'inverse',
    promise: 'what takes operations back leads to where they began',
    runs: 600,
    check: checkInverse,
  },
  {
    name: 'recovers',
    promise: 'a failure stops its own network and those that share things with it, until the next plan',
    runs: 400,
    check: (subject, seed) => checkRecovers(subject, MISHAPS, seed),
  },
  {
    name: 'reachable',
    promise: 'a node keeps its InternalIPs and a default route of their families in its default VRF',
    runs: 800,
    check: checkReachable,
  },
];

const lawsOfStories: readonly Law<Story>[] = [
  {
    name: '9 history-free',
    promise: 'however a node came to where it is, it is as if it had come there at once',
    runs: 400,
    check: (story) => {
      checkHistoryFree(story);
    },
  },
];

/** A law that can be held against what it is about. */
export interface HeldLaw extends Pick<Law<never>, 'name' | 'promise' | 'runs'> {
  /** @returns how many cases it has held for. @throws BrokenLaw where it has not. */
  readonly hold: (extent: Extent) => number;
}

function held<Subject>(about: Subjects<Subject>) {
  return (law: Law<Subject>): HeldLaw => ({
    name: law.name,
    promise: law.promise,
    runs: law.runs,
    hold: (extent) => hold(law, about, extent),
  });
}

/** All laws. */
export const laws: readonly HeldLaw[] = [...lawsOfCases.map(held(ofCases)), ...lawsOfStories.map(held(ofStories))];
