import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { common } from '../packets/tenant.ts';
import { tenants } from './tenants.ts';

const TOUR = resolve(import.meta.dirname, 'tour.ts');

/** The addresses of hosts behind the provider of each tenant, and of the pod that only red has. */
const [outside, ofRed] = [common.outside, ['10.20.1.4', 'fd20:0:0:1::4']] as const;

/** The pods of each tenant on two nodes: those of both tenants have the same addresses. */
const podsOnNodes = tenants.flatMap((tenant) => [
  { tenant, name: 'a', node: 'worker-a', own: ['10.20.0.3', 'fd20::3'] },
  { tenant, name: 'b', node: 'worker-b', own: ['10.20.1.3', 'fd20:0:0:1::3'] },
]);

/** Rows of the table that the tour prints. */
const rows = podsOnNodes.flatMap(({ tenant, name, node, own }) => {
  const who = `${tenant}/${name} on ${node}`;
  const other = podsOnNodes.find((pod) => pod.tenant === tenant && pod.node !== node)!;
  return [
    ...own.map((address, family) => [
      who,
      address,
      other.own[family],
      `${tenant}-${other.name}`,
      address,
      'tunnel',
      '500 of 500',
    ]),
    ...own.map((address, family) => [
      who,
      address,
      outside[family],
      `${tenant}-provider`,
      address,
      `eth-${tenant}`,
      '500 of 500',
    ]),
    // Nodes of the cluster see the address of the uplink, which is the same for both tenants.
    ...(node === 'worker-a'
      ? [[who, own[0], '198.51.100.11', `${tenant}-provider`, '192.0.2.6', `eth-${tenant}`, '500 of 500']]
      : []),
    // On the node of the other pod, it is dropped before any wire.
    ...(tenant === 'blue'
      ? own.map((address, family) => [
          who,
          address,
          ofRed[family],
          'nobody',
          ...(node === 'worker-a' ? ['tunnel'] : []),
          '0 of 2',
        ])
      : []),
  ];
});

/** The rows about pods of the tenant without an uplink: a page by its name, and whom a host outside sees. */
const pages = [
  ['green/a on worker-a', 'http://web', 'green-b sees 10.20.0.3'],
  ['green/a on worker-a', 'http://198.51.100.200:8080', 'outside sees 198.51.100.10'],
  ['green/b on worker-b', 'http://198.51.100.200:8080', 'outside sees 198.51.100.11'],
];

/** The rows of those tables in a text. */
function rowsIn(text: string): readonly (readonly string[])[] {
  return text
    .split(/\r?\n/)
    .filter((line) => / of \d+$| {2}\S+ sees [\d.]+$/.test(line))
    .map((line) => line.trim().split(/\s{2,}/));
}

/** Takes the tour on a terminal, and types something in the shell at the end. */
async function taken(typed: string) {
  // script(1) gives it a terminal.
  const command = [process.execPath, TOUR].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    const isReady = /To try[^]*# /.test(printed + piece) && !/To try[^]*# /.test(printed);
    printed += piece;
    if (isReady) child.stdin.write(`${typed}; exit\n`);
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, printed };
}

describe('npm run tour', function () {
  this.timeout(600_000);

  it('is shown in README with the table that it prints', async () => {
    expect(rowsIn(await readFile(resolve(import.meta.dirname, '../../../../README.md'), 'utf8'))).to.deep.equal([
      ...rows,
      ...pages,
    ]);
  });

  it('shows which pods and hosts each pod of two tenants reaches on two nodes of a cluster, and ends in a shell with kubectl', async () => {
    const { exitCode, printed } = await taken(
      'kubectl get nodes -o name; ovn-uplinks explain pod/red/b --networks all',
    );
    // It says then what was lost, and what the nodes have counted.
    if (printed.includes('unexpected: ')) expect.fail(printed);
    expect(rowsIn(printed)).to.deep.equal([...rows, ...pages]);
    expect(printed).to.include('Each has reached its own pods and its own way out, and nobody else');
    expect(printed)
      .to.include('node/worker-b')
      .and.match(/explain[^]*red\/b/);
    expect(exitCode).to.equal(0);
  });
});
