import { databaseRows, switchRows } from '../agent/switch-rows.ts';
import type { LabNode } from '../node.ts';
import { NORTHBOUND } from './packet-node.ts';
import { bridgeOf, type Tenant, uplinksOf } from './tenant.ts';

/** Rows of the databases of OVN and Open vSwitch, and what the bridges of tenants have, as lines. */
export async function datapathState(node: LabNode, tenants: readonly Tenant[]): Promise<readonly string[]> {
  const bridges = new Set(uplinksOf(tenants).map(bridgeOf));
  return [
    ...(await databaseRows(node, NORTHBOUND, 'OVN_Northbound')),
    // ovn-controller notes on br-int which change it has done last.
    ...(await switchRows(node)).map((row) => row.replaceAll(/\["ovn-nb-cfg(-ts)?","\d+"\],/g, '')),
    ...(await Promise.all([...bridges].map((bridge) => bridgeState(node, bridge)))).flat(),
  ];
}

/** Flows, port settings and static entries of the MAC learning table of a bridge, as lines with names of ports. */
export async function bridgeState(node: LabNode, bridge: string): Promise<readonly string[]> {
  const vectors = [
    ['ovs-ofctl', '-O', 'OpenFlow14', '--no-names', '--no-stats', 'dump-flows', bridge],
    ['ovs-ofctl', '-O', 'OpenFlow10', 'dump-ports-desc', bridge],
    ['ovs-appctl', 'fdb/show', bridge],
  ];
  const [flows = '', ports = '', fdb = ''] = (await node.runAll(vectors)).map(({ stdout }) => stdout);
  const described = [
    ...ports.matchAll(/^ (?<number>\S+?)\((?<name>\S+)\): addr:(?<mac>\S+)\n +config: +(?<config>.*)$/gm),
  ];
  // Long names are cut off.
  const names = new Map(described.map(({ groups }) => [groups!['number']!, groups!['name']!]));
  const named = (text: string, pattern: RegExp) =>
    text.replaceAll(pattern, (_, before: string, number: string) => `${before}${names.get(number) ?? number}`);
  const isPatch = (name: string) => name.startsWith('patch-');
  return [
    ...named(flows, /(\bin_port=|\boutput:)(\d+)/g)
      .split('\n')
      .filter(Boolean),
    // A patch port gets another MAC address each time that it is made.
    ...described.map(
      ({ groups }) => `port ${groups!['name']} ${isPatch(groups!['name']!) ? '' : groups!['mac']} ${groups!['config']}`,
    ),
    ...named(fdb, /^( *)(\d+|LOCAL)(?= )/gm)
      .split('\n')
      .filter((line) => line.endsWith('static')),
  ];
}
