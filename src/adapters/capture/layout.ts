import { LINES_OF_SNAPSHOT } from '../sysctl/snapshot-settings.ts';

/** One file of a captured node, and the program whose output it holds. */
export interface CapturedFile {
  /** Name below the folder. */
  readonly file: string;
  /** Whether a node without it cannot be read. */
  readonly required: boolean;
  /** Every node has something of the kind: a file with nothing in it is a truncated one. */
  readonly neverEmpty?: true;
  readonly program: string;
  readonly arguments: readonly string[];
  /**
   * What it means that the program exits with a status that is not 0. `fatal`, the default: the node cannot be captured. `left-out`: the
   * node has nothing of the kind, and that the program is not installed means the same. `tolerated`: what it printed is kept.
   */
  readonly failure?: 'fatal' | 'left-out' | 'tolerated';
  /** The lines that are kept; all where absent. */
  readonly lines?: RegExp;
}

/** Stands for a bridge's name in the files that there is one of for each bridge. */
export const BRIDGE = '<bridge>';

/** The program that names the bridges, one a line. Fake bridges are none for OpenFlow, and stay out (ovs-vsctl(8), list-br). */
export const BRIDGE_LIST = { program: 'ovs-vsctl', arguments: ['--', '--real', 'list-br'] } as const;

function ipTable(file: string, required: boolean, ...subcommand: readonly string[]) {
  return { file, required, program: 'ip', arguments: ['-json', '-details', ...subcommand] } as const;
}

/** A table that names routing tables: by number, as only the machine's rt_tables file knows which number a name has (ip(8), -N). */
function numericTable(file: string, required: boolean, ...subcommand: readonly string[]) {
  return ipTable(file, required, '-N', ...subcommand);
}

function copyOf(file: string, path: string) {
  return { file, required: false, program: 'cat', arguments: [path] } as const;
}

/** The files of a node, once each (cli.md, A captured node). */
export const NODE_FILES = {
  links: { ...ipTable('ip-link.json', true, 'link', 'show'), neverEmpty: true },
  addresses: { ...ipTable('ip-address.json', true, 'address', 'show'), neverEmpty: true },
  routes4: numericTable('ip-route4.json', true, '-4', 'route', 'show', 'table', 'all'),
  routes6: numericTable('ip-route6.json', false, '-6', 'route', 'show', 'table', 'all'),
  rules4: numericTable('ip-rule4.json', false, '-4', 'rule', 'show'),
  rules6: numericTable('ip-rule6.json', false, '-6', 'rule', 'show'),
  // Unless it is asked for all of them, ip leaves out those without resolution.
  neighbours: ipTable('ip-neighbour.json', false, 'neighbour', 'show', 'nud', 'all'),
  neighbourProxies: ipTable('ip-neighbour-proxy.json', false, 'neighbour', 'show', 'proxy'),
  nextHopObjects: ipTable('ip-nexthop.json', false, 'nexthop', 'show'),
  switchDatabase: {
    file: 'ovsdb.json',
    required: true,
    program: 'ovsdb-client',
    arguments: ['--format=json', 'dump', 'Open_vSwitch'],
  },
  devlinkPorts: {
    file: 'devlink-port.json',
    required: false,
    program: 'devlink',
    arguments: ['port', 'show', '-j'],
    failure: 'left-out',
  },
  sysctls: {
    file: 'sysctl.txt',
    required: false,
    program: 'sysctl',
    arguments: ['-a'],
    // Some keys cannot be read at all, and sysctl then exits with a status that is not 0.
    failure: 'tolerated',
    lines: LINES_OF_SNAPSHOT,
  },
  bootId: { ...copyOf('boot-id.txt', '/proc/sys/kernel/random/boot_id'), neverEmpty: true },
  uptime: { ...copyOf('uptime.txt', '/proc/uptime'), neverEmpty: true },
  // Without one this project has not changed the node since it was started.
  ledger: { ...copyOf('ledger/ledger.json', '/run/ovn-uplinks/ledger.json'), failure: 'left-out' },
  kernel: { file: 'kernel.txt', required: false, program: 'uname', arguments: ['-r'] },
} as const satisfies Readonly<Record<string, CapturedFile>>;

/** The files that there is one of for each bridge; `<bridge>` stands for its name. */
export const BRIDGE_FILES: readonly CapturedFile[] = [
  {
    file: `flows/${BRIDGE}.txt`,
    required: false,
    program: 'ovs-ofctl',
    arguments: ['-O', 'OpenFlow14', '--no-stats', '--no-names', 'dump-flows', '--', BRIDGE],
  },
  {
    file: `ports/${BRIDGE}.txt`,
    required: false,
    program: 'ovs-ofctl',
    arguments: ['-O', 'OpenFlow14', 'dump-ports-desc', '--', BRIDGE],
  },
  {
    file: `fdb/${BRIDGE}.txt`,
    required: false,
    program: 'ovs-appctl',
    arguments: ['fdb/show', BRIDGE],
  },
];

/** A bridge's file: the layout's with its name filled in. */
export function fileOfBridge(template: CapturedFile, bridge: string): CapturedFile {
  return {
    ...template,
    file: template.file.replace(BRIDGE, () => bridge),
    arguments: template.arguments.map((argument) => (argument === BRIDGE ? bridge : argument)),
  };
}

/** A word that a shell reads as just that word. Control characters cannot be seen between plain quotes, so they are named (bash(1), QUOTING). */
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
