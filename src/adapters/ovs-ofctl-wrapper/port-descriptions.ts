import type { NoFloodPort } from '../../domain/snapshot/datapath.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { readLines } from './lines.ts';
import { nameOfPort } from './port-numbers.ts';

const HEADING = /^\s*$|^OFPST_PORT_DESC reply\b/;

/** The first line of a port: its number, or a word for a reserved one, and its name, which may be cut off. */
const PORT = /^ ?(\w+)\(.*\): addr:/;

/** A further line of a port; `config` has its settings, 0 for none. */
const DETAIL = /^ {5}(?:config: +(?<settings>\S.*)|\w+: .*)$/;

/**
 * Reads the ports without flooding in the output of `ovs-ofctl -O OpenFlow10 dump-ports-desc` of a bridge, in its order. Later versions of OpenFlow
 * do not have the setting, so their output has no such port.
 *
 * @param file named in problems
 */
export function readNoFloodPorts(text: string, file: string, bridge: Bridge): Reading<readonly NoFloodPort[]> {
  let current: string | undefined;
  return readLines(text, file, 'a port as ovs-ofctl dump-ports-desc prints it', (line) => {
    if (HEADING.test(line)) return [];
    const [, port] = PORT.exec(line) ?? [];
    if (port !== undefined) {
      current = port;
      return [];
    }
    const detail = DETAIL.exec(line);
    if (detail === null || current === undefined) return undefined;
    const isNoFlood = detail.groups?.['settings']?.split(' ').includes('NO_FLOOD') === true;
    return isNoFlood ? [{ bridge: bridge.name, port: nameOfPort(current, bridge) }] : [];
  });
}
