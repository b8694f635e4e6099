/** Bridges that an agent must never change: the default gateway bridge, and that of the legacy egress gateway. */
import type { NodeSnapshot } from '../../../../src/domain/index.ts';
import { bridge } from '../bridge.ts';
import { ip } from '../commands.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { leftovers } from './leftovers.ts';
import { switchRows } from './switch-rows.ts';

const EGRESS = 'br-egress';
const DEVICES = ['br-ex', 'eth0', EGRESS, 'eth9'];

/** Creates the bridge of the egress gateway. */
export const egressBridge: readonly ArgumentVector[] = [
  ...bridge(EGRESS, { addresses: ['198.51.110.6/24', '2001:db8:e0::6/64'], physicalPort: 'eth9' }),
  ip`route add default via 198.51.110.1 dev ${EGRESS} metric 60`,
  ip`route add 198.51.111.0/24 via 198.51.110.2 dev ${EGRESS} proto static`,
  ip`neighbour add 198.51.110.77 lladdr 02:00:00:00:77:79 dev ${EGRESS} nud permanent`,
];

/** The options of an agent for it. */
export const egressWords = ['--egress-gateway-bridge', EGRESS];

/** The entities of these bridges and their ports in the kernel. */
function ofReserved(node: NodeSnapshot): NodeSnapshot {
  const isReserved = ({ device }: { readonly device?: string }) => device !== undefined && DEVICES.includes(device);
  const settings = Object.entries(node.sysctls);
  return {
    ...node,
    switchExternalIds: {},
    rules: [],
    links: node.links.filter(({ name }) => DEVICES.includes(name)),
    routes: node.routes.filter(({ nextHops }) => nextHops.some(isReserved)),
    nextHopObjects: node.nextHopObjects.filter(isReserved),
    neighbours: node.neighbours.filter(isReserved),
    neighbourProxies: node.neighbourProxies.filter(isReserved),
    sysctls: Object.fromEntries(
      settings.filter(([name]) => DEVICES.some((device) => name.includes(`.conf.${device}.`))),
    ),
  };
}

/** Their rows in the switch database. */
async function rowsOfReserved(node: LabNode): Promise<readonly string[]> {
  const rows = await switchRows(node);
  return rows.filter((row) => DEVICES.some((device) => row.includes(`"name":"${device}"`)));
}

/** Reads these bridges. Returns a function that lists what has changed since then. */
export async function watchReserved(node: LabNode): Promise<() => Promise<readonly string[]>> {
  const [before, rows] = [ofReserved(await node.snapshot()), await rowsOfReserved(node)];
  return async () => {
    const rowsNow = await rowsOfReserved(node);
    return [
      ...leftovers(before, ofReserved(await node.snapshot())),
      ...rows.filter((row) => !rowsNow.includes(row)).map((row) => `- ${row}`),
      ...rowsNow.filter((row) => !rows.includes(row)).map((row) => `+ ${row}`),
    ];
  };
}
