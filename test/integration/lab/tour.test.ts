import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect } from 'chai';

const TOUR = resolve(import.meta.dirname, 'tour.ts');

/** What a person types in the shell at the end. */
const typed =
  "ovn-uplinks trace blue worker-a 'icmp 10.20.1.5 > 198.51.100.200' --local --manifests /run/manifests; exit\n";

describe('npm run tour', function () {
  this.timeout(600_000);

  it('shows who reaches whom, from which address, on which wire, and ends in a shell on the node', async () => {
    // script(1) gives it a terminal.
    const child = spawn(
      'script',
      ['--quiet', '--return', '--command', `'${process.execPath}' '${TOUR}'`, '/dev/null'],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      const isReady = /To try[^]*# /.test(printed + piece) && !/To try[^]*# /.test(printed);
      printed += piece;
      if (isReady) child.stdin.write(typed);
    });
    const [exitCode] = (await once(child, 'close')) as [number | null];
    const lines = printed.split('\r\n');
    const rows = lines.filter((line) => / of 500$/.test(line)).map((line) => line.trim().split(/\s{2,}/));
    expect(rows.map(([from, , , reaches, , wire, answered]) => [from, reaches, wire, answered])).to.deep.equal(
      ['blue', 'red'].flatMap((tenant) =>
        ['a pod', 'the host', 'a pod', 'the host'].map((who) => [
          `${tenant}, ${who}`,
          `${tenant}-provider`,
          `eth-${tenant}`,
          '500 of 500',
        ]),
      ),
    );
    expect(printed).to.include('Each has reached its own provider, on its own wire').and.include('leaves by eth-blue');
    expect(exitCode).to.equal(0);
  });
});
