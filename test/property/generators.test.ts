import { expect } from 'chai';
import fc from 'fast-check';
import { cases, stories } from '../../src/testing/index.ts';
import { outcomesOfCase, outcomesOfStory } from './outcomes.ts';

/** Size of a batch of samples. Batches, which are the same each time, are generated until all outcomes are reached. */
const BATCH = 100;
const MAX_BATCHES = 60;

/** The expected outcomes that a sample reaches. */
function reached<Subject>(
  arbitrary: fc.Arbitrary<Subject>,
  outcomesOf: (subject: Subject) => readonly string[],
  expected: readonly string[],
): ReadonlySet<string> {
  const missing = new Set(expected);
  for (let batch = 1; batch <= MAX_BATCHES && missing.size > 0; batch++) {
    for (const subject of fc.sample(arbitrary, { numRuns: BATCH, seed: batch })) {
      for (const outcome of outcomesOf(subject)) missing.delete(outcome);
    }
  }
  return new Set(expected.filter((outcome) => !missing.has(outcome)));
}

/** All kinds of operations in plans. */
const planned = [
  'add-vrf',
  'set-vrf',
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
  'change-northbound',
  'change-zone',
  'change-chassis',
  'enable-interconnection',
  'bind-ports',
  'change-flooding',
  'add-fdb-entry',
  'delete-fdb-entry',
  'change-flows',
  'change-router-ports',
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
  'network SubnetsOverlap',
  'network UplinkBridgeMappingFailed: in-the-way of bridge-mapping',
  'network UplinkBridgeMappingFailed: in-the-way of flow',
  'network UplinkBridgeMappingFailed: in-the-way of fdb-entry',
  'network GatewayRouterFailed: in-the-way of Logical_Router',
  'network GatewayRouterFailed: in-the-way of Static_MAC_Binding',
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
  'restored address',
  'restored next-hop-object',
  'restored route',
  'restored neighbour',
  'restored neighbour-proxy',
  'route moved',
];

const ofStories = [
  ...[...planned, 'replace-route'].map((kind) => `operation ${kind}`),
  'disturbance',
  'VRF created again',
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
      it(`reach: ${outcome}`, () => {
        expect(outcomes.has(outcome)).to.equal(true);
      });
    }
  });
}
