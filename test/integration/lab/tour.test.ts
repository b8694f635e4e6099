import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect } from 'chai';

const TOUR = resolve(import.meta.dirname, 'tour.ts');

/**
 * Who sends from which address to whom on a node, who sees which address, by which wire, and how much is answered.
 *
 * @param pod the addresses of pods, one a family
 * @param host those of uplinks
 */
function rowsOf(pod: readonly string[], host: readonly string[]): readonly (readonly string[])[] {
  return ['blue', 'red'].flatMap((tenant) =>
    pod.flatMap((address, family) =>
      [
        ['a pod', address],
        ['the host', host[family]!],
      ].map(([who, own]) => [`${tenant}, ${who!}`, own!, `${tenant}-provider`, own!, `eth-${tenant}`, '500 of 500']),
    ),
  );
}

const rowsOfNode = rowsOf(['10.20.1.5', 'fd20:0:0:1::5'], ['192.0.2.6', '2001:db8:b::6']);
const rowsOfSecondNode = rowsOf(['10.20.2.5', 'fd20:0:0:2::5'], ['192.0.2.7', '2001:db8:b::7']);

/** Takes the tour on a terminal, and types something in the shell at the end. */
async function taken(typed: string, ...words: readonly string[]) {
  // script(1) gives it a terminal.
  const command = [process.execPath, TOUR, ...words].map((word) => `'${word}'`).join(' ');
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
    .filter((line) => / of 500$/.test(line))
    .map((line) => line.trim().split(/\s{2,}/))
    .map(([from, own, , ...rest]) => [from, own, ...rest]);
  return { exitCode, printed, rows };
}

describe('npm run tour', function () {
  this.timeout(600_000);

  it('shows which hosts each pod reaches, from which address, on which wire, and ends in a shell on the node', async () => {
    const { exitCode, printed, rows } = await taken(
      "ovn-uplinks trace blue worker-a 'icmp 10.20.1.5 > 198.51.100.200' --local --manifests /run/manifests",
    );
    expect(rows).to.deep.equal(rowsOfNode);
    expect(printed).to.include('Each has reached its own provider, on its own wire').and.include('leaves by eth-blue');
    expect(exitCode).to.equal(0);
  });

  it('shows the same on two nodes of a cluster with --kubernetes, and ends in a shell with kubectl', async () => {
    const { exitCode, printed, rows } = await taken(
      'kubectl get nodes -o name; ovn-uplinks explain red worker-b --kubeconfig /run/kubeconfig',
      '--kubernetes',
    );
    expect(rows).to.deep.equal([...rowsOfNode, ...rowsOfSecondNode]);
    expect(printed).to.include('Each has reached its own provider, on its own wire').and.include('node/worker-b');
    expect(printed).to.match(/red on worker-b: VRF red, bridge br-red, ready/);
    expect(exitCode).to.equal(0);
  });
});
