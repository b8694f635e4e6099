import { capturedFiles } from '../../domain/snapshot/captured-files.ts';
import { SOUTHBOUND_SELECTION } from '../ovn/southbound-selection.ts';
import type { DatabaseServer } from '../ovsdb/server.ts';
import { LINES_OF_SNAPSHOT } from '../sysctl/snapshot-settings.ts';

/** One file of a captured node, and the program that writes it. */
export interface CapturedFile {
  /** Name below the folder. */
  readonly file: string;
  /** Whether the file is required. */
  readonly required: boolean;
  /** Whether an empty file is truncated. */
  readonly neverEmpty?: true;
  readonly program: string;
  readonly arguments: readonly string[];
  /**
   * If the program exits with a status other than 0: `fatal`, the default: the capture fails. `left-out`: the file is left out, also if the program
   * is not installed. `warned`: the same, with a warning. `tolerated`: its output is kept.
   */
  readonly failure?: 'fatal' | 'left-out' | 'warned' | 'tolerated';
  /** Remedy, for a person, if the program fails. */
  readonly hint?: string;
  /** The lines that are kept; all if absent. */
  readonly lines?: RegExp;
}

/** Placeholder for the bridge's name in files per bridge. */
export const BRIDGE = '<bridge>';

/** The program that lists the bridges, without fake bridges, which have no OpenFlow tables (ovs-vsctl(8), list-br). */
export const BRIDGE_LIST = { program: 'ovs-vsctl', arguments: ['--', '--real', 'list-br'] } as const;

function ipTable(file: string, required: boolean, ...subcommand: readonly string[]) {
  return { file, required, program: 'ip', arguments: ['-json', '-details', ...subcommand] } as const;
}

/** A command that prints routing tables, by number: their names depend on the machine's rt_tables file (ip(8), -N). */
function numericTable(file: string, required: boolean, ...subcommand: readonly string[]) {
  return ipTable(file, required, '-N', ...subcommand);
}

function copyOf(file: string, path: string) {
  return { file, required: false, program: 'cat', arguments: [path] } as const;
}

/** A list of nftables, where there is nft(8). */
function nftList(file: string, ...what: readonly string[]) {
  return {
    file,
    required: false,
    program: 'nft',
    arguments: ['--json', 'list', ...what],
    failure: 'left-out',
  } as const;
}

/** The files of a captured node. */
export const NODE_FILES = {
  links: { ...ipTable(capturedFiles.links, true, 'link', 'show'), neverEmpty: true },
  addresses: { ...ipTable(capturedFiles.addresses, true, 'address', 'show'), neverEmpty: true },
  routes4: numericTable(capturedFiles.routes4, true, '-4', 'route', 'show', 'table', 'all'),
  routes6: numericTable(capturedFiles.routes6, false, '-6', 'route', 'show', 'table', 'all'),
  rules4: numericTable(capturedFiles.rules4, false, '-4', 'rule', 'show'),
  rules6: numericTable(capturedFiles.rules6, false, '-6', 'rule', 'show'),
  // Without `nud all` ip leaves out entries in state NOARP.
  neighbours: ipTable(capturedFiles.neighbours, false, 'neighbour', 'show', 'nud', 'all'),
  neighbourProxies: ipTable(capturedFiles.neighbourProxies, false, 'neighbour', 'show', 'proxy'),
  nextHopObjects: ipTable(capturedFiles.nextHopObjects, false, 'nexthop', 'show'),
  switchDatabase: {
    file: capturedFiles.switchDatabase,
    required: true,
    program: 'ovsdb-client',
    arguments: ['--format=json', 'dump', 'Open_vSwitch'],
    hint: 'ovsdb-server does not run on this machine, or uses another socket: start Open vSwitch, and capture on a node',
  },
  devlinkPorts: {
    file: 'devlink-port.json',
    required: false,
    program: 'devlink',
    arguments: ['port', 'show', '-j'],
    failure: 'left-out',
  },
  sysctls: {
    file: capturedFiles.sysctls,
    required: false,
    program: 'sysctl',
    arguments: ['-a'],
    // sysctl exits with a status other than 0 if a key cannot be read.
    failure: 'tolerated',
    lines: LINES_OF_SNAPSHOT,
  },
  filters: nftList(capturedFiles.packetFilters, 'ruleset', 'inet'),
  chains: nftList(capturedFiles.chains, 'chains'),
  // Without the module of the kernel, iptables-legacy has no tables.
  legacyTables4: { ...copyOf('ip-tables-names.txt', '/proc/net/ip_tables_names'), failure: 'left-out' },
  legacyTables6: { ...copyOf('ip6-tables-names.txt', '/proc/net/ip6_tables_names'), failure: 'left-out' },
  bootId: { ...copyOf('boot-id.txt', '/proc/sys/kernel/random/boot_id'), neverEmpty: true },
  uptime: { ...copyOf('uptime.txt', '/proc/uptime'), neverEmpty: true },
  // Without a ledger the agent has not changed the node since boot.
  ledger: { ...copyOf(capturedFiles.ledger, '/run/ovn-uplinks/ledger.json'), failure: 'left-out' },
  kernel: { file: 'kernel.txt', required: false, program: 'uname', arguments: ['-r'] },
} as const satisfies Readonly<Record<string, CapturedFile>>;

/** The file of OVN's Northbound database; without it nothing follows from a missing row. */
export const NORTHBOUND_FILE = {
  file: capturedFiles.northbound,
  required: false,
  neverEmpty: true,
  program: 'ovsdb-client',
  arguments: ['--format=json', 'dump', 'OVN_Northbound'],
} as const satisfies CapturedFile;

/** The file of the chassis in OVN's Southbound database, where the node is a zone of OVN of its own. */
export const SOUTHBOUND_FILE = {
  file: capturedFiles.southbound,
  required: false,
  neverEmpty: true,
  program: 'ovsdb-client',
  arguments: ['transact', SOUTHBOUND_SELECTION],
} as const satisfies CapturedFile;

/** Options and address by which ovsdb-client(1) reads from a server. A capture is of the past anyway, so any member of a cluster will do, also while it has no leader. */
function clientWords({ addresses, tls }: DatabaseServer) {
  const files = tls && [
    `--private-key=${tls.privateKey}`,
    `--certificate=${tls.certificate}`,
    `--ca-cert=${tls.caCertificate}`,
  ];
  const remote = addresses.map((address) => (address.kind === 'unix' ? `unix:${address.path}` : address.text));
  return { options: ['--no-leader-only', ...(files ?? [])], address: remote.join(',') };
}

/**
 * The first of these files with the server to read from.
 *
 * @param failure if it cannot be read
 */
export function northboundDump(server: DatabaseServer, failure: 'fatal' | 'warned'): CapturedFile {
  const { options, address } = clientWords(server);
  const [format, dump, database] = NORTHBOUND_FILE.arguments;
  return { ...NORTHBOUND_FILE, arguments: [format, ...options, dump, address, database], failure };
}

/** The second one. */
export function southboundSelection(server: DatabaseServer, failure: 'fatal' | 'left-out'): CapturedFile {
  const { options, address } = clientWords(server);
  const [transact, transaction] = SOUTHBOUND_FILE.arguments;
  return { ...SOUTHBOUND_FILE, arguments: [...options, transact, address, transaction], failure };
}

/** The files per bridge; `<bridge>` stands for its name. */
export const BRIDGE_FILES = {
  flows: {
    file: `${capturedFiles.flows}${BRIDGE}.txt`,
    required: false,
    program: 'ovs-ofctl',
    arguments: ['-O', 'OpenFlow14', '--no-stats', '--no-names', 'dump-flows', '--', BRIDGE],
  },
  ports: {
    file: `${capturedFiles.ports}${BRIDGE}.txt`,
    required: false,
    program: 'ovs-ofctl',
    // Later versions of OpenFlow do not have the setting no-flood.
    arguments: ['-O', 'OpenFlow10', 'dump-ports-desc', '--', BRIDGE],
    // A bridge need not accept this version (ovs-vswitchd.conf.db(5), protocols).
    failure: 'left-out',
  },
  fdb: {
    file: `${capturedFiles.fdb}${BRIDGE}.txt`,
    required: false,
    program: 'ovs-appctl',
    arguments: ['fdb/show', BRIDGE],
  },
} as const satisfies Readonly<Record<string, CapturedFile>>;

/** The layout of a bridge's file, with its name filled in. */
export function fileOfBridge(template: CapturedFile, bridge: string): CapturedFile {
  return {
    ...template,
    file: template.file.replace(BRIDGE, () => bridge),
    arguments: template.arguments.map((argument) => (argument === BRIDGE ? bridge : argument)),
  };
}

/** A word quoted for a shell. Control characters are escaped to be visible (bash(1), QUOTING). */
function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!/[\u0000-\u001f\u007f-\u009f]/.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  const named = word.replace(/[\\']|[\u0000-\u001f\u007f-\u009f]/g, (character) =>
    /[\\']/.test(character) ? `\\${character}` : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `$'${named}'`;
}

/** The command as a person would type it. */
export function commandLine({ program, arguments: words }: Pick<CapturedFile, 'program' | 'arguments'>): string {
  return [program, ...words].map(shellWord).join(' ');
}
