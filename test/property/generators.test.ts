import { expect } from 'chai';
import fc from 'fast-check';
import { cases, stories } from '../../src/testing/index.ts';
import { outcomesOfCase, outcomesOfStory } from './outcomes.ts';

/** Samples are generated in portions of this size, the same ones each time, until everything is reached. */
const PORTION = 100;
const MOST_PORTIONS = 60;

/** Those of the expected outcomes that a sample comes to. */
function reached<Subject>(
  arbitrary: fc.Arbitrary<Subject>,
  outcomesOf: (subject: Subject) => readonly string[],
  expected: readonly string[],
): ReadonlySet<string> {
  const missing = new Set(expected);
  for (let portion = 1; portion <= MOST_PORTIONS && missing.size > 0; portion++) {
    for (const subject of fc.sample(arbitrary, { numRuns: PORTION, seed: portion })) {
      for (const outcome of outcomesOf(subject)) missing.delete(outcome);
    }
  }
  return new Set(expected.filter((outcome) => !missing.has(outcome)));
}

/** Every kind of operation that a plan has. */
const planned = [
  'add-vrf',
  'sign-vrf',
  'delete-vrf',
  'enslave',
  'release',
  'put-back',
  'add-address',
  'delete-address',
  'add-route',
  'delete-route',
  'add-rule',
  'delete-rule',
  'set-sysctl',
  'add-neighbour',
  'delete-neighbour',
  'add-bridge-mapping',
  'remove-bridge-mapping',
];

const ofCases = [
  'Ready Ready',
  'Ready NodeSelectorOverlap',
  'Ready HostInterfaceNotFound',
  'Ready GatewayInfoUnavailable',
  'Ready BridgeNotFound',
  'Ready BridgeInvalid',
  'Ready MTUInvalid',
  'network Ready',
  'network NetworkNotAllocated',
  'network PrerequisiteMissing',
  'network UplinkConfigurationConflict',
  'network UplinkNotReadyForNode',
  'network UplinkOverlapOnNode',
  'network UplinkNotFound',
  'network UplinkNotFoundForNode',
  'network UplinkVRFAttachmentFailed: name-refused',
  'network UplinkVRFAttachmentFailed: missing',
  'network UplinkVRFAttachmentFailed: other-device',
  'network UplinkVRFAttachmentFailed: other-device by an alternative name',
  'network UplinkVRFAttachmentFailed: other-table',
  'network UplinkVRFAttachmentFailed: other-master',
  'network UplinkVRFAttachmentFailed: cuts-node-off by address',
  'network UplinkVRFAttachmentFailed: cuts-node-off by its default route',
  'network UplinkVRFAttachmentFailed: cannot-be-put-back for its attributes',
  'network UplinkVRFAttachmentFailed: cannot-be-put-back for its refusal',
  'network UplinkVRFAttachmentFailed: in-the-way of route',
  'network UplinkVRFAttachmentFailed: in-the-way of rule',
  'network UplinkVRFAttachmentFailed: in-the-way of neighbour',
  'network AddressFamilyMissing',
  'network UplinkBridgeMappingFailed',
  'network UplinkUnsupportedGatewayMode',
  'network UplinkUnsupportedTransport',
  'domain default',
  'domain own-vrf',
  'domain other-vrf',
  'domain contradiction',
  'conflict over bridge',
  'conflict over vrf',
  'conflict over targets',
  'held',
  'deletion',
  'Degraded AllNodesReady',
  'Degraded NoNodesSelected',
  'Degraded NodeSelectorInvalid',
  'Degraded NodeSelectorOverlap',
  'Degraded UplinkStateMissing',
  'UplinksReady UplinksReady',
  'UplinksReady UplinkConfigurationConflict',
  'UplinksReady UplinkNotReadyForNode',
  ...planned.map((kind) => `operation ${kind}`),
  'inverse take-back',
  'put back address',
  'put back next-hop-object',
  'put back route',
  'put back neighbour',
  'put back neighbour-proxy',
  'route moved',
];

const ofStories = [
  ...[...planned, 'bring-up-vrf', 'replace-route'].map((kind) => `operation ${kind}`),
  'disturbance',
  'VRF made again',
  'network moved',
  'network moved with routes',
  'programmed network kept',
];

const suites = [
  ['generated cases', () => reached(cases, outcomesOfCase, ofCases), ofCases],
  ['generated stories', () => reached(stories, outcomesOfStory, ofStories), ofStories],
] as const;

for (const [title, sample, expected] of suites) {
  describe(title, () => {
    let outcomes: ReadonlySet<string>;
    before(function () {
      this.timeout(0);
      outcomes = sample();
    });

    for (const outcome of expected) {
      it(`come to: ${outcome}`, () => {
        expect(outcomes.has(outcome)).to.equal(true);
      });
    }
  });
}
