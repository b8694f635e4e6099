import type { FdbEntry } from '../../domain/snapshot/datapath.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { readLines } from './lines.ts';
import { nameOfPort } from './port-numbers.ts';

const HEADING = /^\s*$|^\s*port\s+VLAN\s+MAC\s+Age\s*$/;

const ENTRY =
  /^\s*(?<port>\S+)\s+(?<vlan>\d+)\s+(?<macAddress>[0-9a-f]{2}(?::[0-9a-f]{2}){5})\s+(?<age>\d+|static)\s*$/;

/**
 * Reads the static entries in the output of `ovs-appctl fdb/show` of a bridge, in its order.
 *
 * @param file named in problems
 */
export function readFdb(text: string, file: string, bridge: Bridge): Reading<readonly FdbEntry[]> {
  return readLines(text, file, '"PORT VLAN MAC AGE" as ovs-appctl fdb/show prints it', (line) => {
    if (HEADING.test(line)) return [];
    const { port, vlan, macAddress, age } = ENTRY.exec(line)?.groups ?? {};
    if (port === undefined || macAddress === undefined) return undefined;
    if (age !== 'static') return [];
    return [{ bridge: bridge.name, port: nameOfPort(port, bridge), vlan: Number(vlan), macAddress }];
  });
}
