/** Prints docs/pipeline.md from the rows of the pipeline: those of a bridge in which every value is a word. */
import { writeFileSync } from 'node:fs';
import type {
  BridgeInput,
  ExposedPort,
  NeighbourInput,
  NetworkInput,
  UplinkInput,
} from '../src/domain/dataplane/pipeline/bridge-input.ts';
import type { PipelineRow, Row, ScopeName, Scopes } from '../src/domain/dataplane/pipeline/row.ts';
import { exposedRows } from '../src/domain/dataplane/pipeline/exposed-rows.ts';
import { pipeline } from '../src/domain/dataplane/pipeline/rows.ts';
import { tables } from '../src/domain/dataplane/pipeline/tables.ts';
import { virtualMacOf } from '../src/domain/dataplane/pipeline/virtual-mac.ts';
import { FIRST_ZONE } from '../src/domain/basics/conventions.ts';
import { linkLocalAddressOf } from '../src/domain/basics/addresses/ip-address.ts';
import { actionsText, matchText } from '../src/domain/datapath/openflow/flow-text.ts';

const MAC_ADDRESS = '0a:00:00:00:00:01';

const gateway: NeighbourInput = { address: '192.0.2.1', macAddress: 'NEIGHBOUR-MAC', isGateway: true };

const adopted: NeighbourInput = { ...gateway, isGateway: false };

const network: NetworkInput = {
  network: 'ClusterUserDefinedNetwork/blue',
  networkId: 1,
  patchPort: 'PATCH',
  masqueradeAddresses: { 4: 'MASQUERADE', 6: 'MASQUERADE6' },
  advertisedSubnets: { 4: ['PODS'], 6: ['PODS6'] },
};

const uplink: UplinkInput = {
  uplink: 'blue',
  hostPort: 'HOST',
  macAddress: MAC_ADDRESS,
  vlan: 100,
  firstZone: FIRST_ZONE,
  addresses: { 4: 'ADDRESS', 6: 'ADDRESS6' },
  neighbours: [gateway],
  networks: [network],
};

const bridge: BridgeInput = {
  bridge: 'br-blue',
  physicalPort: 'PHYS',
  masqueradeSubnets: { 4: '169.254.0.0/17', 6: 'fd69::/112' },
  serviceSubnets: { 4: ['SERVICES'], 6: ['SERVICES6'] },
  uplinkAddresses: { 4: ['ADDRESS'], 6: ['ADDRESS6'] },
  encapsulationAddresses: { 4: ['TUNNEL'], 6: ['TUNNEL6'] },
  uplinks: [uplink],
};

/** Values that differ from bridge to bridge, as words. */
const words: readonly (readonly [string, string])[] = [
  ['dl_vlan=100', 'dl_vlan=VLAN'],
  ['set_field:4196->vlan_vid', 'set_field:VLAN->vlan_vid'],
  [virtualMacOf(gateway.address), 'VIRTUAL-MAC'],
  [MAC_ADDRESS, 'MAC'],
  [linkLocalAddressOf(MAC_ADDRESS) ?? '', 'LINK-LOCAL'],
  ['arp_spa=192.0.2.1', 'arp_spa=GATEWAY'],
  [`zone=${String(FIRST_ZONE)}`, 'zone=CONNECTIONS'],
  [`zone=${String(FIRST_ZONE + 3)}`, 'zone=REASSEMBLY'],
  ['tp_dst=80', 'tp_dst=PORT'],
  ['0x4->ct_mark', 'NETWORK->ct_mark'],
  ['ct_mark=0x4', 'ct_mark=NETWORK'],
  ['0x2->ct_mark', 'HOST->ct_mark'],
  // The slots are all alike.
  [',set_field:0x1->reg0,resubmit(,11)', ' … '],
];

function inWords(text: string): string {
  const replaced = words.reduce((known, [value, word]) => known.replaceAll(value, word), text);
  return replaced.replace(/ … .*$/, ', … for each of 32 slots').replaceAll('|', String.raw`\|`);
}

interface Line {
  readonly table: number;
  readonly priority: number;
  readonly cells: readonly string[];
}

function linesOf<Scope extends ScopeName>(per: Scope, scope: Scopes[Scope]): readonly Line[] {
  return linesOfRows(per, pipeline[per] as readonly PipelineRow<Scope>[], scope);
}

function linesOfRows<Scope>(per: string, rows: readonly Row<Scope>[], scope: Scope): readonly Line[] {
  return rows.flatMap(({ table, priority, when, why, flows }) =>
    flows(scope).map(({ match, actions }) => ({
      table: tables[table],
      priority,
      cells: [
        table,
        String(priority),
        per,
        when ?? '',
        `\`${inWords(matchText(match))}\``,
        `\`${inWords(actionsText(actions))}\``,
        why,
      ],
    })),
  );
}

/** The lines of both kinds of neighbours, those that they have in common once. */
function neighbourLines(): readonly Line[] {
  const lines = [gateway, adopted].flatMap((neighbour) => linesOf('neighbour', { bridge, uplink, neighbour }));
  return [...new Map(lines.map((line) => [line.cells.join(), line])).values()];
}

/** A port of a Service at an address of its own, by a protocol that stands for all. */
const exposed = [4, 6].map((family): ExposedPort => ({
  family: family === 4 ? 4 : 6,
  address: family === 4 ? 'SERVICE-ADDRESS' : 'SERVICE-ADDRESS6',
  isOfService: true,
  protocol: 'tcp',
  port: 80,
  sources: [family === 4 ? 'SOURCES' : 'SOURCES6'],
}));

const inOrder = (all: readonly Line[]) =>
  all.toSorted((left, right) => left.table - right.table || right.priority - left.priority);

const exposedLines = inOrder([
  ...linesOfRows('bridge', exposedRows.bridge, { bridge }),
  ...linesOfRows('network', exposedRows.network, { bridge, uplink, network }),
  ...exposed.flatMap((port) => linesOfRows('address', exposedRows.address, { bridge, uplink, network, address: port })),
  ...exposed.flatMap((port) => linesOfRows('port', exposedRows.port, { bridge, uplink, network, port })),
]);

const lines = inOrder([
  ...linesOf('bridge', { bridge }),
  ...linesOf('uplink', { bridge, uplink }),
  ...neighbourLines(),
  ...linesOf('network', { bridge, uplink, network }),
]);

const HEADING = ['| table | priority | per | when | match | actions | why |', '|---|---|---|---|---|---|---|'];

const tableOf = (all: readonly Line[]) => [
  ...HEADING,
  ...all.map(({ cells }) => `| ${cells.map((cell) => (cell === '``' ? 'everything' : cell)).join(' | ')} |`),
];

const perNetwork = lines.filter(
  ({ cells }) => cells[2] === 'network' && cells[3] !== 'the network is advertised',
).length;

const page = [
  '# Pipeline',
  '',
  'The OpenFlow rows of an uplink bridge. This page is printed from `src/domain/dataplane/pipeline` by `npm run goldens`.',
  '',
  `A network with both families has ${String(perNetwork)} rows, and one that is advertised two more for each subnet of its pods.`,
  'Rows per uplink, neighbour and network are there for each of those. Where an uplink has no VLAN, `vlan_tci=0x0000/0x1fff` stands for',
  '`dl_vlan=VLAN`, and no tag is pushed or popped.',
  '',
  '| table | number |',
  '|---|---|',
  ...Object.entries(tables).map(([name, number]) => `| ${name} | ${String(number)} |`),
  '',
  'PHYS is the physical port, HOST the port of the host interface, PATCH the patch port of a network; MAC, ADDRESS and ADDRESS6 are those of the',
  'host interface; LINK-LOCAL is the link-local address that follows from MAC. MASQUERADE is the address that the gateway router of the network',
  'sends from. SERVICES and SERVICES6 are subnets of services. At TUNNEL and TUNNEL6 tunnels of the node end. VIRTUAL-MAC stands for a neighbour whose MAC address is known (docs/design/flows.md, "Neighbours").',
  '',
  ...tableOf(lines),
  '',
  '## Services',
  '',
  'The rows by which Services of networks are reached from the wire ([services.md](design/services.md#on-the-wire)). They are there as long as a Service of a network has a port outside, at the',
  'address of the uplink or at one of its own, and have a cookie of their own. SERVICE-ADDRESS is such an address: of the uplink, or, where a condition says so, of Services alone; SOURCES are subnets from which the port may be reached; `tcp` stands for the protocol of the port.',
  '',
  ...tableOf(exposedLines),
  '',
].join('\n');

writeFileSync(new URL('../docs/pipeline.md', import.meta.url), page);
