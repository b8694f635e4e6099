import type { NodeSettings, NodeSnapshot } from '../../../domain/index.ts';
import { nameOfNetwork } from '../../../domain/network/key.ts';
import type { EgressSetting } from '../../../domain/snapshot/settings.ts';
import type { Case } from '../../case.ts';
import { converge, type Convergence } from '../../convergence.ts';
import type { Engine } from '../../engine.ts';
import { normalForm, withoutDaemonRoutes, withoutLearned } from '../../normal-form.ts';
import { heldNames, withoutHeld } from '../held-entities.ts';
import type { CaseLabels } from '../labels.ts';
import { assertLaw, assertSame } from '../violation.ts';
import { defaultFamilyOf } from './cluster-router.ts';

const law = 'one way out';

/** The settings that a cluster may be changed to: that the default network is known belongs to the way out by the node. */
const settingsLater: readonly (Partial<NodeSettings> & { readonly egress: EgressSetting })[] = [
  { egress: 'none' },
  { egress: 'node', clusterCidrs: ['10.244.0.0/16'] },
  { egress: 'uplink=uplink-a' },
];

/** The routers of a node that have several default routes of a family, among which packets would be shared (ovn-nb(5), Logical_Router_Static_Route). */
function undecided({ northbound }: NodeSnapshot): readonly string[] {
  const places = northbound.flatMap((row) => {
    const family = row.network === undefined ? undefined : defaultFamilyOf(row);
    return family === undefined ? [] : (row.parents ?? []).map(({ name }) => `${name} IPv${family}`);
  });
  return places.filter((place, index) => places.indexOf(place) !== index);
}

/** Names of the networks that leave by an uplink and by the node at once, by what the plan says. */
function leavingTwice({ zones = [], networks }: Convergence['plan']): readonly string[] {
  const onUplinks = new Set(networks.map(({ key }) => key));
  return zones.flatMap(({ object, exit }) => (exit === 'node' && onUplinks.has(object) ? [nameOfNetwork(object)] : []));
}

/** A node without what depends on its history by itself: what daemons add again, and who spoke. */
const endOf = (node: NodeSnapshot) => normalForm(withoutLearned(withoutDaemonRoutes(node)));

/**
 * Where the way out of networks that name no uplink is changed, no router has two default routes of a family at any time, and the node is in the end as if it had always
 * been that one (docs/design/node-egress.md, "Order"), held networks aside.
 */
export function checkOneWayOut(engine: Engine, { cluster, nodes, settings }: Case): CaseLabels {
  if (settings.providedNetworks !== 'all') return [];
  return nodes.flatMap((found) => {
    const before = converge(engine, law, { cluster, settings }, found);
    return settingsLater.flatMap((change): CaseLabels => {
      if (change.egress === settings.egress) return [];
      const surroundings = { cluster, settings: { ...settings, ...change } };
      const after = converge(engine, law, surroundings, before.node);
      const twice = [...before.states, ...after.states].flatMap(undecided);
      assertLaw(law, twice.length === 0, () => `two default routes: ${twice.join(', ')}`);
      const [both] = leavingTwice(after.plan);
      assertLaw(law, both === undefined, () => `${both} leaves by an uplink and by the node`);
      const fresh = converge(engine, law, surroundings, found);
      const held = heldNames(surroundings, [
        [after.plan, after.node],
        [fresh.plan, fresh.node],
      ]);
      const what = `the node with ${change.egress} after ${settings.egress}, and with it from the beginning,`;
      const [left, right] = [fresh, after].map(({ node }) => endOf(withoutHeld(node, held)));
      assertSame(law, what, left, right);
      return after.operations.length > 0 ? ['changed'] : [];
    });
  });
}
