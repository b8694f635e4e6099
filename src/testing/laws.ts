/**
 * The laws: what holds for every plan of an engine. docs/laws.md is printed from this table, `exceptions` and `seededFaults`.
 */
import type { Case } from './case.ts';
import type { Engine } from './engine.ts';
import { frozen } from './frozen.ts';
import { checkChosen } from './laws/services/chosen.ts';
import { checkConfined } from './laws/services/confined-mirrors.ts';
import { checkConverges } from './laws/converges.ts';
import { checkCrashSafe } from './laws/crash-safe.ts';
import { checkFailsStatic } from './laws/services/fails-static.ts';
import { checkHistoryFree } from './laws/history-free.ts';
import { checkInverse } from './laws/inverse.ts';
import { checkIsolated } from './laws/isolated.ts';
import type { CaseLabels } from './laws/labels.ts';
import { checkLocalCost } from './laws/services/local-cost.ts';
import { checkNoBounce } from './laws/no-bounce.ts';
import { checkOneMirror } from './laws/services/one-mirror.ts';
import { checkSourceKept } from './laws/services/source-kept.ts';
import { checkFiltered } from './laws/egress/filtered.ts';
import { checkOneWayOut } from './laws/egress/one-way-out.ts';
import { checkTranslated } from './laws/egress/translated.ts';
import { checkOwnsOnlyItsOwn } from './laws/owns-only-its-own.ts';
import { checkPure } from './laws/pure.ts';
import { checkReachable } from './laws/reachable.ts';
import { checkRecovers } from './laws/recovers.ts';
import { checkReversible } from './laws/reversible.ts';
import { checkSeparate } from './laws/services/separate.ts';
import { checkSymmetric } from './laws/symmetric.ts';
import type { LawName } from './laws/violation.ts';
import { stepCases } from './step-cases.ts';
import type { Story } from './story.ts';

interface AnyLaw {
  readonly name: LawName;
  /** For a person, in a sentence without its full stop. */
  readonly promise: string;
  /** How it is checked, in a sentence. */
  readonly method: string;
  /** How many cases, or stories, `npm test` checks it on. */
  readonly runs: number;
  /** Labels, with the least share of these that must have them. */
  readonly cover: Readonly<Record<string, number>>;
}

/**
 * @param seed of random choices
 * @param most how many crashes or failures are tried on a node
 * @throws LawViolation where the engine breaks the law.
 */
type CheckCase = (engine: Engine, subject: Case, seed: number, most?: number) => CaseLabels;

/** A law about cases. */
export interface CaseLaw extends AnyLaw {
  readonly about: 'cases';
  /** Present if it is about Services: it is checked on cases that have some. */
  readonly isOfServices?: true;
  readonly check: CheckCase;
}

/** A law about cases that is checked on the steps of stories, each of them a case. */
export interface StepLaw extends AnyLaw {
  readonly about: 'steps';
  readonly check: CheckCase;
}

/** A law about sequences of changes. */
export interface StoryLaw extends AnyLaw {
  readonly about: 'stories';
  /** @throws LawViolation where the engine breaks the law. */
  readonly check: (engine: Engine, subject: Story) => CaseLabels;
}

export type Law = CaseLaw | StepLaw | StoryLaw;

/** How many crashes, and how many failures, are tried on each generated node. */
export const MOST_FAULTS = 6;

/** All laws. */
export const laws: readonly Law[] = [
  {
    name: '1 pure',
    promise: 'The same snapshot gives the same decisions, whatever the order of lists and keys, and is not changed',
    method:
      'Each case is planned twice, and again in another order; all results are compared byte for byte. The input is frozen: the engine must not change it.',
    about: 'cases',
    runs: 400,
    cover: { operations: 0.5 },
    check: checkPure,
  },
  {
    name: '2 converges',
    promise: 'After the operations of a plan nothing is left to do',
    method:
      'The operations are applied to a model of the node, which refuses what the kernel would refuse and what must not be done, and the node is planned again.',
    about: 'steps',
    runs: 600,
    cover: { operations: 0.5 },
    check: checkConverges,
  },
  {
    name: '3 owns only its own',
    promise: 'Nothing that belongs to others is changed',
    method:
      'Around each operation everything that is not ours is compared, with what is displaced counted where it came from; at the end all of that is restored.',
    about: 'steps',
    runs: 600,
    cover: { displaced: 0.015 },
    check: checkOwnsOnlyItsOwn,
  },
  {
    name: '4 isolated',
    promise:
      'A network changes nothing for networks that share neither bridge nor VRF nor the last way out of the node with it',
    method:
      'Each network is removed from the cluster, and the decisions about every other one and its operations are compared with those before.',
    about: 'cases',
    runs: 800,
    cover: { bystander: 0.15, 'provided network': 0.05 },
    check: checkIsolated,
  },
  {
    name: '5 symmetric',
    promise: 'Neither a conflict nor an overlap of subnets has a winner, and held networks are left as they are',
    method:
      'Networks are created in another order and exchange their names, which must exchange the outcome; no operation names a held network or changes what belongs to it.',
    about: 'steps',
    runs: 600,
    cover: { held: 0.2, 'held and programmed': 0.03, exchange: 0.008, overlap: 0.0015 },
    check: checkSymmetric,
  },
  {
    name: '6 reversible',
    promise: 'Networks that are created and deleted leave the node as it was',
    method: 'The node without networks is compared with the same node after its networks have come and gone.',
    about: 'steps',
    runs: 400,
    cover: { operations: 0.2 },
    check: checkReversible,
  },
  {
    name: '7 crash-safe',
    promise:
      'A process that stops anywhere and starts again leads to the same node, with as many removals and additions of each entity',
    method: `Up to ${MOST_FAULTS} runs of each node stop before or after an operation that is in the ledger already, another one after every operation; each ends with a new plan and is compared with the undisturbed run.`,
    about: 'steps',
    runs: 220,
    cover: { crash: 0.5 },
    check: checkCrashSafe,
  },
  {
    name: '8 no bounce',
    promise: 'While a node converges, no entity is removed and made again',
    method:
      'Entities are read from the states of the node between the operations, so that an operation is judged by its effect, whatever it is called.',
    about: 'steps',
    runs: 900,
    cover: { removal: 0.3 },
    check: checkNoBounce,
  },
  {
    name: '9 history-free',
    promise:
      'After any sequence of changes the node and its plan are those of a fresh start, what belongs to held networks aside',
    method:
      'Each story is also run reversed, shortened, doubled, emptied of networks in between, and with a restart after each operation; the end is compared with a node that only sees the last step.',
    about: 'stories',
    runs: 250,
    cover: { compared: 0.9, held: 0.15 },
    check: checkHistoryFree,
  },
  {
    name: 'inverse',
    promise: 'The inverse of operations leads back to where they began',
    method:
      'Each operation of a plan is followed by its inverse, and all of them by all inverses in reverse order, when networks come and when they go.',
    about: 'cases',
    runs: 200,
    cover: { inverse: 0.3 },
    check: checkInverse,
  },
  {
    name: 'recovers',
    promise: 'A failed operation stops its own network and those that share something with it, until the next plan',
    method: `Up to ${MOST_FAULTS} operations of each node fail; what proceeds is applied, no other network is left waiting, and the next plan leads to the node of an undisturbed run.`,
    about: 'steps',
    runs: 220,
    cover: { failure: 0.5, undo: 0.004, bystander: 0.006 },
    check: checkRecovers,
  },
  {
    name: 'reachable',
    promise: 'A node keeps its InternalIPs, and a default route of their families, in the default VRF',
    method: 'Where the node has them there before a plan, it has them there afterwards.',
    about: 'cases',
    runs: 500,
    cover: { InternalIP: 0.3, 'default route': 0.3 },
    check: checkReachable,
  },
  {
    name: 'filtered',
    promise: 'Packets leave a network by the node through a filter only, which denies what belongs to the cluster',
    method:
      'In each state between the operations, packets from and to each address that a rule lets out pass a model of the filter beside kube-proxy: they leave with the address of the node, and none reaches nodes, Services and pods of the default network or metadata of clouds that are not allowed, has the address of a pod or of another network, or comes from outside.',
    about: 'steps',
    runs: 600,
    cover: { 'let out': 0.01 },
    check: checkFiltered,
  },
  {
    name: 'translated',
    promise:
      'Only packets of pods on the node leave a network by it, with an address that is of this network alone, and none of them for an address of the network that no pod has or for a link-local one that is not allowed',
    method:
      'In each state between the operations, packets pass a model of the policies and the translation of every router that has a default route to the node.',
    about: 'steps',
    runs: 600,
    cover: { leaves: 0.01 },
    check: checkTranslated,
  },
  {
    name: 'one way out',
    promise:
      'Where the way out of networks that name no Uplink is changed, no router ever has two, and the node is as if it had always had the later one',
    method:
      'Each node is programmed with one setting and then with each other one; default routes of routers are counted between the operations, and the end is compared with that of a node which has had the later setting only.',
    about: 'cases',
    runs: 300,
    cover: { changed: 0.02 },
    check: checkOneWayOut,
  },
  {
    name: 'one mirror',
    promise:
      'An EndpointSlice of a Service in a network has one mirror at most, which follows from the slice and its pods alone, and a pod is in one slice of the names that lead to it',
    method:
      'Two cluster managers plan and write in any order, stop and start again, while slices, pods, mirrors and slices of names change; at the end these are compared with those of a cluster manager that finds none.',
    about: 'cases',
    isOfServices: true,
    runs: 300,
    cover: { mirror: 0.3 },
    check: checkOneMirror,
  },
  {
    name: 'source kept',
    promise:
      'Packets from the wire to a Service lead to the endpoints that kube-proxy would use, and where their source is to be kept to those of the node alone, which see it; pods of the network reach all of them by the same addresses',
    method:
      'The load balancers of each Service on each node, with ports at the address of an uplink and at one of its own, are held against the table of endpoints, for either policy. A load balancer translates no source where it is on the gateway router and the source is to be kept, and nowhere else.',
    about: 'cases',
    isOfServices: true,
    runs: 300,
    cover: { Cluster: 0.1, Local: 0.05 },
    check: checkSourceKept,
  },
  {
    name: 'confined',
    promise:
      'Every endpoint of a mirror, and every pod to which names lead, is in the network of its namespace, and a load balancer of a Service has its addresses alone and leads to such endpoints',
    method:
      'Each address is looked up in the subnets of the network, and in the annotations of the pods that the slice names, or that the Service selects; one that is no pod has to be written in the slice. Load balancers are made from all slices of the cluster, and again from mirrors that a user has changed.',
    about: 'cases',
    isOfServices: true,
    runs: 300,
    cover: { endpoint: 0.1, 'load balancer': 0.1, name: 0.1 },
    check: checkConfined,
  },
  {
    name: 'chosen',
    promise:
      'The endpoints of a Service on a node are those that kube-proxy would use, of those that are in the network',
    method:
      'They are compared with a table of its rules, as slices are, and as they may be a while after their mirrors were written; slices in another order and twice, and an endpoint that cannot be used, change nothing.',
    about: 'cases',
    isOfServices: true,
    runs: 600,
    cover: {
      local: 0.03,
      'local terminating': 0.01,
      'for the node': 0.015,
      'for the zone': 0.03,
      ready: 0.1,
      terminating: 0.04,
    },
    check: checkChosen,
  },
  {
    name: 'local cost',
    promise: 'A Service that changes costs its own load balancers on a node, and no others',
    method:
      'Services and slices change, go and come one after the other: no other Service is judged again or written, but those of its network with its address, and no two are served at one; in the end the load balancers are those of a node that begins, with the Services in another order.',
    about: 'cases',
    isOfServices: true,
    runs: 300,
    cover: { change: 0.5, 'shared address': 0.05 },
    check: checkLocalCost,
  },
  {
    name: 'fails static',
    promise: 'What cannot be read takes no endpoint away, nor does a network that has not left a namespace yet',
    method:
      'Of a cluster with all its mirrors and slices of names, and of a node with all its load balancers, one kind of object after the other cannot be read; then no network selects a namespace any more.',
    about: 'cases',
    isOfServices: true,
    runs: 300,
    cover: { endpoint: 0.1, 'load balancer': 0.1 },
    check: checkFailsStatic,
  },
  {
    name: 'separate',
    promise: 'An object of one tenant changes nothing that is decided about another tenant',
    method:
      'For each tenant, all others have nothing any more, then copies of its own objects with their addresses, uids and labels, other networks, networks that are being deleted, and Services with the names of DNS: mirrors, names, warnings, conditions and load balancers of the tenant, its network on a node, and the attachments and open ports of its pods stay the same. Claims of ids stay as they are stored.',
    about: 'cases',
    isOfServices: true,
    runs: 120,
    cover: {
      mirror: 0.3,
      'load balancer': 0.5,
      'network on a node': 0.7,
      "tenant's own network on a node": 0.5,
      'open port': 0.5,
    },
    check: checkSeparate,
  },
];

/**
 * Checks every law about cases on a case, which is frozen.
 *
 * @param seed decides what is left to chance: the same gives the same result
 * @returns what was reached, such as `held` or `crash`
 * @throws LawViolation where the engine breaks a law.
 */
export function checkLaws(engine: Engine, subject: Case, seed = 1): CaseLabels {
  const input = frozen(subject);
  return laws.flatMap((law) => (law.about === 'stories' ? [] : law.check(engine, input, seed)));
}

/** The check of a law on a generated case, which it freezes. */
export function checkLaw(law: CaseLaw, engine: Engine): (subject: Case, seed: number) => CaseLabels;
/** The check of a law on a generated story, which it freezes. */
export function checkLaw(law: StepLaw | StoryLaw, engine: Engine): (subject: Story, seed: number) => CaseLabels;
export function checkLaw(law: Law, engine: Engine): (subject: never, seed: number) => CaseLabels {
  switch (law.about) {
    case 'cases':
      return (subject: Case, seed) => law.check(engine, frozen(subject), seed, MOST_FAULTS);
    case 'steps':
      return (story: Story, seed) =>
        [...stepCases(engine, law.name, frozen(story), seed)].flatMap((step) =>
          law.check(engine, step, seed, MOST_FAULTS),
        );
    case 'stories':
      return (story: Story) => law.check(engine, frozen(story));
  }
}
