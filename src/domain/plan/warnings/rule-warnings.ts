/**
 * Rules of other programs that come before those by which packets of networks use the tables of their VRFs: the rule of the kernel for all VRFs (l3mdev),
 * and that of ovn-uplinks for the packet mark of each network (docs/design/dataplane.md, "Rules of other programs").
 */
import { nameOfNetwork } from '../../network/key.ts';
import { OWN_RULE_PRIORITY } from '../../basics/conventions.ts';
import type { EntityKind } from '../../entities/entity-kind.ts';
import { type Entity, entityKey } from '../../entities/entity-kinds.ts';
import { address } from '../../entities/kernel/address.ts';
import { membership } from '../../entities/kernel/membership.ts';
import { entitiesByKind } from '../../dataplane/network-dataplane.ts';
import { addressInRule, isOwnRule, rule as ruleKind, type RuleEntity } from '../../entities/kernel/rule.ts';
import { markWord, ruleWords } from '../../entities/kernel/rule-command.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { addressFamilies, type AddressFamily, familyOf, isLinkLocal } from '../../basics/addresses/ip-address.ts';
import { lazy } from '../../basics/incremental/lazy.ts';
import { isVrf, LOCAL_TABLE } from '../../node-model/device.ts';
import { isInverted } from '../../node-model/rules/rule-match.ts';
import { matchesAny, type Traffic } from '../../node-model/rules/rule-traffic.ts';
import { isVrfRule, VRF_RULE_PRIORITY } from '../../node-model/vrf.ts';
import { distinct, sortedBy } from '../../basics/names/ordering.ts';
import type { NodeSnapshot, Rule, Table } from '../../snapshot/node-snapshot.ts';
import { viewNode } from '../../snapshot/node-view.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';
import { nameSample } from '../../status/node-sample.ts';
import type { ClusterView } from '../view/cluster-view.ts';
import { desiredOf } from '../desired-entities.ts';
import type { NodeDataplane } from '../node-dataplane.ts';

/** The input for the warnings. */
export interface RuleInput {
  readonly view: ClusterView;
  readonly dataplane: NodeDataplane;
  readonly node: NodeSnapshot;
  readonly settings: NodeSettings;
}

/** Packets that use a table by a rule. */
interface Ruled {
  readonly family: AddressFamily;
  readonly by: 'vrf' | 'mark';
  /** The VRF, or the mark. */
  readonly name: string;
  readonly traffic: () => Traffic;
  readonly table: Table | undefined;
  /** Priority of the rule by which they use it. */
  readonly priority: number;
}

/** Rules that lead packets elsewhere. */
interface Finding extends Omit<Ruled, 'traffic'> {
  readonly rules: readonly Rule[];
}

/** Whether a rule leads packets of VRFs to their tables, and does not refuse them. */
export function leadsToVrfTables(rule: Rule): boolean {
  return isVrfRule(rule) && !Object.hasOwn(rule.others, 'action');
}

/** Values that networks have or get on the node, of one kind. */
function entitiesOf<Some extends Entity>(
  kind: EntityKind<Some>,
  { desired, stays }: Pick<NodeDataplane, 'desired' | 'stays'>,
): readonly Some[] {
  const isOfKind = (entity: Entity): entity is Some => entity.kind === kind.kind;
  return [
    ...desiredOf(kind, desired).list.map(({ entity }) => entity),
    ...stays.map(({ entity }) => entity).filter(isOfKind),
  ];
}

/** The rules by which packets with the marks of networks use their tables. */
function markRules(dataplane: Pick<NodeDataplane, 'desired' | 'stays'>): readonly RuleEntity[] {
  return entitiesOf(ruleKind, dataplane).filter(({ rule }) => addressInRule(rule) === undefined);
}

/** The entities of networks that the warnings are about. */
export function ruledEntities(dataplane: Pick<NodeDataplane, 'desired' | 'stays'>): readonly Entity[] {
  return [...entitiesOf(membership, dataplane), ...entitiesOf(address, dataplane), ...markRules(dataplane)];
}

/** The packets in each VRF with an interface or a management port of a network. */
function packetsInVrfs({ dataplane, node, ...input }: RuleInput, ordered: Ordered): readonly Ruled[] {
  const addresses = groupBy(entitiesOf(address, dataplane), ({ device }) => device);
  const hasVrf = node.links.some(isVrf);
  const view = viewNode(node);
  return [...groupBy(entitiesOf(membership, dataplane), ({ vrf }) => vrf)].flatMap(([name, members]) => {
    const devices = new Set([name, ...members.map(({ device }) => device)]);
    const links = new Set([...[...devices].flatMap((device) => view.link(device) ?? []), ...view.portsOf(name)]);
    const found = [
      ...[...links].flatMap((link) => link.addresses),
      ...[...devices].flatMap((device) => addresses.get(device) ?? []).map(({ address }) => address),
    ].filter(({ address }) => !isLinkLocal(address));
    const traffic = (): Traffic => {
      const sources = [...sourcesOf(input), ...found.map(({ address, prefixLength }) => `${address}/${prefixLength}`)];
      return { mark: 0, devices: new Set([...devices, ...[...links].map((link) => link.name)]), sources };
    };
    return addressFamilies.flatMap((family): readonly Ruled[] => {
      const first = ordered[family].find(leadsToVrfTables);
      // A VRF without that rule is another problem; the first VRF brings it.
      if (!found.some(({ address }) => familyOf(address) === family) || (first === undefined && hasVrf)) return [];
      const priority = first?.priority ?? VRF_RULE_PRIORITY;
      return [{ family, by: 'vrf', name, traffic, table: members[0]?.table, priority }];
    });
  });
}

/** The packets with the mark of each network. */
function markedPackets({ dataplane, ...input }: RuleInput): readonly Ruled[] {
  const networks = new Map(
    dataplane.programmed.flatMap((network) =>
      (entitiesByKind(network.entities).get('rule') ?? []).map((entity) => [
        entityKey(entity),
        nameOfNetwork(network.network),
      ]),
    ),
  );
  return markRules(dataplane).map((entity) => {
    const { family, table, mark = 0, priority } = entity.rule;
    const network = networks.get(entityKey(entity));
    const name = `${markWord(entity.rule)}${network === undefined ? '' : ` (${network})`}`;
    return { family, by: 'mark', name, traffic: () => ({ mark, sources: sourcesOf(input) }), table, priority };
  });
}

/** Where packets of networks are from: pods, and what gateway routers and the host translate them to. */
function sourcesOf({ view, settings }: Pick<RuleInput, 'view' | 'settings'>): readonly string[] {
  return [...view.networks.flatMap(({ subnets }) => subnets.map(({ cidr }) => cidr)), ...settings.masqueradeSubnets];
}

type Ordered = Readonly<Record<AddressFamily, readonly Rule[]>>;

/** The rules of each family in the order in which the kernel tries them; of those of one priority the order is not known. */
function inOrder(rules: readonly Rule[]): Ordered {
  const sorted = [...sortedBy(rules, ruleWords)].sort((left, right) => left.priority - right.priority);
  const ofFamily = (family: AddressFamily) => sorted.filter((rule) => rule.family === family);
  return { 4: ofFamily(4), 6: ofFamily(6) };
}

/**
 * Whether a rule may decide about packets that it matches: it skips the rule by which they use their table, refuses them, or looks up a table of others.
 * That of local addresses, which the kernel has before all, only has addresses of the node.
 */
function decidesOtherwise(
  rule: Rule,
  { priority, table }: Pick<Ruled, 'priority' | 'table'>,
  rules: readonly Rule[],
): boolean {
  const { action, goto } = rule.others;
  if (goto !== undefined) return Number(goto) > priority && rules.some((other) => other.priority === Number(goto));
  if (action !== undefined) return true;
  return rule.table !== undefined && rule.table !== LOCAL_TABLE && rule.table !== table;
}

/** Returns whether all routes of a table, of which there are some, lead out of devices. */
function leadingOut({
  routes,
}: NodeSnapshot): (table: Table | undefined, family: AddressFamily, devices: ReadonlySet<string>) => boolean {
  const byTable = lazy(() => groupBy(routes, ({ family, table }) => `${family} ${table}`));
  return (table, family, devices) => {
    const found = byTable().get(`${family} ${table ?? ''}`) ?? [];
    const isOut = ({ nextHops }: NodeSnapshot['routes'][number]) =>
      nextHops.length > 0 && nextHops.every(({ device = '' }) => devices.has(device));
    return found.length > 0 && found.every(isOut);
  };
}

/** The rules that may lead packets elsewhere. */
function findings(input: RuleInput): readonly Finding[] {
  const ordered = inOrder(input.node.rules);
  const isLeadingOut = leadingOut(input.node);
  return [...packetsInVrfs(input, ordered), ...markedPackets(input)].flatMap((ruled): readonly Finding[] => {
    const { family, priority } = ruled;
    const deciding = ordered[family].filter(
      (rule) => rule.priority <= priority && !isOwnRule(rule) && decidesOtherwise(rule, ruled, ordered[family]),
    );
    // Mostly there are none, and what packets there are is not asked.
    if (deciding.length === 0) return [];
    const traffic = ruled.traffic();
    const rules = deciding.filter(
      (rule) =>
        matchesAny(rule, traffic) &&
        !(traffic.devices !== undefined && isLeadingOut(rule.table, family, traffic.devices)),
    );
    return rules.length === 0 ? [] : [{ ...ruled, rules }];
  });
}

/** Leaves out warnings of a network's mark where they are said of its VRF. */
function withoutRepetition(found: readonly Finding[]): readonly Finding[] {
  const ofVrfs = found.filter((finding) => finding.by === 'vrf');
  const said = new Map(ofVrfs.map(({ family, table, rules }) => [`${family} ${table ?? ''}`, new Set(rules)]));
  return found.flatMap((finding): readonly Finding[] => {
    if (finding.by === 'vrf') return [finding];
    const known = said.get(`${finding.family} ${finding.table ?? ''}`);
    const rules = finding.rules.filter((rule) => known?.has(rule) !== true);
    return rules.length === 0 ? [] : [{ ...finding, rules }];
  });
}

/** Says that rules come before another one. @param texts what each is called */
function comingText(texts: readonly string[]): string {
  const isOne = texts.length === 1;
  return `${isOne ? 'rule' : 'rules'} ${nameSample(texts)} ${isOne ? 'comes' : 'come'} before`;
}

function rulesText(rules: readonly Rule[]): string {
  return comingText(rules.map((rule) => `${rule.priority} (${ruleWords(rule)})`));
}

/** Advice: the rule of VRFs may be behind those that the kernel itself has, and others before it wherever it is. */
function advice({ priority, rules }: Finding): string {
  const harmless = `rules with a priority above ${OWN_RULE_PRIORITY} are harmless`;
  if (priority <= OWN_RULE_PRIORITY) return harmless;
  const move = `give the rule of VRFs the priority that the kernel gives it: ip rule add pref ${VRF_RULE_PRIORITY} l3mdev protocol kernel, also with -6`;
  const before = rules.filter((rule) => rule.priority <= VRF_RULE_PRIORITY);
  if (before.length === 0) return move;
  return `${move}; ${comingText(distinct(before.map((rule) => `${rule.priority}`)))} that as well; ${harmless}`;
}

/** @param same findings with the same rules; one at least */
function messageOf(same: readonly Finding[], first: Finding): string {
  const families = distinct(same.map(({ family }) => `IPv${family}`)).join(' and ');
  const names = distinct(same.map(({ name }) => name));
  const isOfVrf = first.by === 'vrf';
  const packets = `${isOfVrf ? 'in VRF' : 'with mark'}${names.length === 1 ? '' : 's'} ${nameSample(names)}`;
  const usual = `rule ${first.priority}, by which ${isOfVrf ? 'VRFs use their tables (l3mdev)' : 'packets with marks of networks use their tables'}`;
  return `${families} ${rulesText(first.rules)} ${usual}: packets ${packets} may use other routes, and leave by other interfaces; ${advice(first)}`;
}

/** The messages about such rules: the same ones for all VRFs and networks that they affect, of both families. */
export function ruleMessages(input: RuleInput): readonly string[] {
  const found = withoutRepetition(findings(input));
  return [...groupBy(found, (each) => `${each.by} ${each.priority} ${rulesText(each.rules)}`).values()].flatMap(
    (same) => {
      const [first] = same;
      return first === undefined ? [] : [messageOf(same, first)];
    },
  );
}

/** The marks that rules of other programs match before those of networks are asked for, each as ip-rule(8) has it. */
export function foreignMarks({ rules }: Pick<NodeSnapshot, 'rules'>): readonly string[] {
  const place = { priority: OWN_RULE_PRIORITY, table: undefined };
  const found = rules.filter(
    (rule) =>
      rule.mark !== undefined &&
      rule.priority <= OWN_RULE_PRIORITY &&
      !isOwnRule(rule) &&
      !isInverted(rule) &&
      decidesOtherwise(rule, place, rules),
  );
  return distinct(found.map(markWord));
}
