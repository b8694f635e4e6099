import { familyOf } from '../../basics/addresses/ip-address.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { addressInRule, isOwnRule } from '../../entities/kernel/rule.ts';
import { isManagementPortIn } from '../../network/names/numbers.ts';
import { selectedText } from '../../node-model/rules/rule-match.ts';
import type { NodeSnapshot, Rule } from '../../snapshot/node-snapshot.ts';
import type { FilteredNetwork } from './filter-elements.ts';

/** The devices that packets of the network of a VRF are seen on: its management port, and the VRF. */
function devicesOf(table: Rule['table'], { links }: Pick<NodeSnapshot, 'links'>): readonly string[] {
  return links
    .filter(({ vrfTable }) => vrfTable !== undefined && vrfTable === table)
    .flatMap(({ name }) => [
      ...links.filter((link) => link.master === name && isManagementPortIn(table, link.name)).map((link) => link.name),
      name,
    ]);
}

/**
 * The networks that a node lets out now, by its rules, whatever is decided about them.
 *
 * @param isMeant which of these rules count
 */
export function networksInForce(
  node: Pick<NodeSnapshot, 'rules' | 'links'>,
  isMeant: (rule: Rule) => boolean,
): readonly FilteredNetwork[] {
  const meant = node.rules.filter((rule) => isOwnRule(rule) && addressInRule(rule) !== undefined && isMeant(rule));
  // Answers are led to the table of the network by a rule for its address.
  const tables = new Map(
    meant.flatMap(({ table, others: { dst } }) => {
      const address = selectedText(dst);
      return address === undefined ? [] : [[address, table] as const];
    }),
  );
  return [...groupBy(meant, (rule) => addressInRule(rule) ?? '').keys()].map((address) => ({
    devices: devicesOf(tables.get(address), node),
    networkAddresses: [{ family: familyOf(address) ?? 4, address }],
  }));
}
