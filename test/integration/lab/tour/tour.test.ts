import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect } from 'chai';

const TOUR = resolve(import.meta.dirname, 'tour.ts');

/** The pods of each tenant on two nodes, with the addresses of the uplinks there. */
const podsOnNodes = [
  {
    tenant: 'blue',
    name: 'a',
    other: 'b',
    node: 'worker-a',
    own: ['10.20.0.3', 'fd20::3'],
    uplink: ['192.0.2.6', '2001:db8:b::6'],
  },
  {
    tenant: 'blue',
    name: 'b',
    other: 'a',
    node: 'worker-b',
    own: ['10.20.1.3', 'fd20:0:0:1::3'],
    uplink: ['192.0.2.7', '2001:db8:b::7'],
  },
  {
    tenant: 'red',
    name: 'a',
    other: 'b',
    node: 'worker-a',
    own: ['10.20.0.3', 'fd20::3'],
    uplink: ['203.0.113.6', '2001:db8:c::6'],
  },
  {
    tenant: 'red',
    name: 'b',
    other: 'a',
    node: 'worker-b',
    own: ['10.20.1.3', 'fd20:0:0:1::3'],
    uplink: ['203.0.113.7', '2001:db8:c::7'],
  },
] as const;

/**
 * Who sends from which address, whom that reaches, who sees which address, by which wire, and how much is answered: each pod reaches the other pod of
 * its tenant and its provider, and those of `blue` nobody at an address that only a pod of `red` has.
 */
const rowsOfCluster = podsOnNodes.flatMap(({ tenant, name, other, node, own, uplink }) => {
  const who = `${tenant}/${name} on ${node}`;
  return [
    ...own.map((address) => [who, address, `${tenant}-${other}`, address, 'tunnel', '500 of 500']),
    ...own.map((address, family) => [
      who,
      address,
      `${tenant}-provider`,
      uplink[family],
      `eth-${tenant}`,
      '500 of 500',
    ]),
    // On the node of the other pod, it is dropped before any wire.
    ...(tenant === 'blue'
      ? own.map((address) => [who, address, 'nobody', ...(node === 'worker-a' ? ['tunnel'] : []), '0 of 1'])
      : []),
  ];
});

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
  const rows = printed
    .split('\r\n')
    .filter((line) => / of \d+$/.test(line))
    .map((line) => line.trim().split(/\s{2,}/))
    .map(([from, own, , ...rest]) => [from, own, ...rest]);
  return { exitCode, printed, rows };
}

describe('npm run tour', function () {
  this.timeout(600_000);

  it('shows which pods and hosts each pod of two tenants reaches on two nodes of a cluster, and ends in a shell with kubectl', async () => {
    const { exitCode, printed, rows } = await taken(
      'kubectl get nodes -o name; ovn-uplinks explain pod/red/b --networks all',
    );
    expect(rows).to.deep.equal(rowsOfCluster);
    expect(printed).to.include('Each has reached its own pods and its own provider, and nobody else');
    expect(printed)
      .to.include('node/worker-b')
      .and.match(/explain[^]*red\/b/);
    expect(exitCode).to.equal(0);
  });
});
