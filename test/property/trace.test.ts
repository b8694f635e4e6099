/**
 * Traces on generated nodes: every packet comes to an end, replies come back, and a trace of what is planned is that of the node once it is done.
 */
import { nameOfNetwork } from '../../src/domain/network/key.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import { MAIN_TABLE } from '../../src/domain/basics/conventions.ts';
import type { NodeSnapshot, Route } from '../../src/domain/index.ts';
import type { NetworkDatapath } from '../../src/domain/dataplane/network-datapath.ts';
import { addressAt, familyOf } from '../../src/domain/basics/addresses/ip-address.ts';
import { planNode } from '../../src/domain/plan/plan-node.ts';
import type { Trace } from '../../src/domain/explanation/trace/hop.ts';
import { reversed, type TracedPacket } from '../../src/domain/explanation/trace/packet.ts';
import { trace } from '../../src/domain/explanation/trace/trace.ts';
import { type Case, cases, converge, engine } from '../../src/testing/index.ts';
import { caseCount } from '../case-count.ts';
import { Coverage } from '../coverage.ts';

const extent = { numRuns: caseCount(500) };

/** Offset of the gateway's address in a subnet. */
const GATEWAY_OFFSET = 9;

/** Offset of a pod's address in a subnet: behind those of the router and the management port. */
const POD_OFFSET = 5;

const OUTSIDE = { 4: '172.31.255.9', 6: '2001:db8:ffff::9' } as const;

const families = [4, 6] as const;

/** In each family that there is, a packet of a pod and one of the host to the outside, and one from there to the host. */
function packetsOf({ router, uplink }: NetworkDatapath): readonly TracedPacket[] {
  return families.flatMap((family) => {
    const pod = addressAt(router.families[family]?.nodeSubnets[0] ?? '', POD_OFFSET);
    const host = uplink.addresses[family];
    const [rest, ports] = [{ protocol: 'tcp', family } as const, { source: 40_000, destination: 443 }];
    const outgoing = [pod, host].flatMap((source) =>
      source === undefined ? [] : [{ ...rest, source, destination: OUTSIDE[family], ports }],
    );
    return [
      ...outgoing,
      ...(host === undefined ? [] : [{ ...rest, source: OUTSIDE[family], destination: host, ports }]),
    ];
  });
}

/** The node with an IPv4 default route by each device that is up and a member of nothing. */
function withDefaultRoutes(node: NodeSnapshot): NodeSnapshot {
  const added = node.links.flatMap(({ name, master, addresses, up }, index): readonly Route[] => {
    const address = addresses.find(({ scope, address: text }) => scope === 'global' && familyOf(text) === 4);
    const gateway = address && addressAt(`${address.address}/${address.prefixLength}`, GATEWAY_OFFSET);
    if (!up || master !== undefined || gateway === undefined) return [];
    return [
      {
        ...{ family: 4, table: MAIN_TABLE, destination: '0.0.0.0/0', metric: 5000 + index, type: 'unicast' },
        protocol: 'static',
        nextHops: [{ device: name, gateway, onlink: true }],
      },
    ];
  });
  return { ...node, routes: [...node.routes, ...added] };
}

/** The subject of each trace on a node: a network, and a packet of one of its pods. */
function questions({ cluster, settings }: Case, node: NodeSnapshot) {
  return planNode(cluster, node, settings).dataplane.programmed.flatMap(({ network, datapath }) =>
    datapath === undefined
      ? []
      : packetsOf(datapath).map((packet) => ({ network: nameOfNetwork(network), packet, datapath })),
  );
}

describe('traces on generated nodes', function () {
  this.timeout(0);

  it('end, return replies to the pod, and are the same once the plan is applied', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(cases, (subject) => {
        const { cluster, nodes, settings } = subject;
        for (const node of nodes.map(withDefaultRoutes)) {
          const asked = questions(subject, node);
          const followed = (on: NodeSnapshot, question: Parameters<typeof trace>[3]): Trace => {
            const outcome = trace(cluster, { from: on, others: [] }, settings, question);
            if (!outcome.traced) throw new Error(outcome.problem);
            return outcome.trace;
          };
          const { node: done } = converge(engine, '2 converges', { cluster, settings }, node);
          for (const { network, packet, datapath } of asked) {
            const sent = followed(node, { network, packet });
            const { planned: _, ...way } = sent;
            const { planned, ...then } = followed(done, { network, packet });
            expect(planned, 'planned once it is done').to.equal(false);
            expect(then).to.deep.equal(way);
            if (sent.from !== 'pod') continue;
            coverage.count({ leaves: sent.verdict.kind === 'leaves' });
            // Without a default gateway it is dropped.
            if (sent.verdict.kind !== 'leaves') {
              expect(sent.verdict).to.include({ kind: 'dropped' });
              continue;
            }
            expect(sent.verdict.by).to.equal(datapath.physicalPort);
            const last = sent.hops.at(-1)?.change ?? '';
            const source = datapath.router.isAdvertised ? packet.source : datapath.uplink.addresses[packet.family];
            expect(last).to.include(source);
            const back = followed(node, { network, packet: reversed(packet), isReply: true });
            expect(back.verdict).to.deep.equal({ kind: 'arrives', at: `the pod with ${packet.source}` });
          }
        }
      }),
      extent,
    );
    coverage.expect({ leaves: 0.02 });
  });

  it('lead pods of the default routing domain, and no others, to the addresses of all its uplinks without leaving the node', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(cases, ({ cluster, nodes, settings }) => {
        for (const node of nodes) {
          const { programmed } = planNode(cluster, node, settings).dataplane;
          const connected = programmed.flatMap(({ network, vrf, uplink, datapath }) =>
            datapath === undefined
              ? []
              : [{ network: nameOfNetwork(network), uplink, isDefault: !vrf.enslaves, datapath }],
          );
          for (const { network, uplink, isDefault, datapath } of connected) {
            // There is no router before the gateway router that could lead them to the host (docs/design/flows.md, "Who may send what").
            if (datapath.router.inside === 'switch') continue;
            for (const other of connected.filter((each) => each.uplink !== uplink)) {
              for (const family of families) {
                const source = addressAt(datapath.router.families[family]?.nodeSubnets[0] ?? '', POD_OFFSET);
                const destination = other.datapath.uplink.addresses[family];
                // Tenants may have each other's addresses.
                if (source === undefined || destination === undefined) continue;
                if (destination === datapath.uplink.addresses[family]) continue;
                const ports = { source: 40_000, destination: 443 };
                const packet = { protocol: 'tcp', family, source, destination, ports } as const;
                const outcome = trace(cluster, { from: node, others: [] }, settings, { network, packet });
                if (!outcome.traced) throw new Error(outcome.problem);
                const { verdict } = outcome.trace;
                const isShort = verdict.kind === 'arrives' && verdict.at.startsWith('the host by ovn-k8s-mp');
                const isShared = isDefault && other.isDefault;
                coverage.count({ shared: isShared, apart: !isShared });
                expect(isShort, `${network} to ${destination}`).to.equal(isShared);
              }
            }
          }
        }
      }),
      extent,
    );
    coverage.expect({ shared: 0.02, apart: 0.02 });
  });
});
