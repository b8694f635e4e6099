import { expect } from 'chai';
import fc from 'fast-check';
import { type Preview, preview } from '../../src/domain/index.ts';
import { cases } from '../../src/testing/index.ts';

/** What a case comes to, as words that can be counted. */
function outcomes({ nodes, states, cluster }: Preview): readonly string[] {
  return [
    ...states.flatMap(({ status }) => status.conditions.map(({ reason }) => `Ready ${reason}`)),
    ...nodes.flatMap(({ networks }) =>
      networks.flatMap(({ failure, held, routingDomain: { domain } }) => [
        `network ${failure?.reason ?? 'Ready'}`,
        `domain ${domain.kind}`,
        ...(held ? ['held'] : []),
        ...(failure?.reason === 'UplinkConfigurationConflict'
          ? failure.conflicts.map(({ over }) => `conflict over ${over}`)
          : []),
      ]),
    ),
    ...cluster.uplinks.map(({ condition }) => `Degraded ${condition.reason}`),
    ...cluster.networks.map(({ condition }) => `UplinksReady ${condition.reason}`),
    ...(cluster.deletions.length > 0 ? ['deletion'] : []),
  ];
}

describe('generated cases', () => {
  const reached = new Set(
    fc
      .sample(cases, { numRuns: 4000, seed: 42 })
      .flatMap(({ cluster, nodes, settings }) => outcomes(preview(cluster, nodes, settings))),
  );

  for (const outcome of [
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
    'network UplinkVRFAttachmentFailed',
    'network AddressFamilyMissing',
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
  ]) {
    it(`come to: ${outcome}`, () => {
      expect(reached.has(outcome)).to.equal(true);
    });
  }
});
