import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { Container } from 'inversify';
import { ports } from '../../../src/cmd/ports/container.ts';
import { ovnUplinksCommand, subcommands } from '../../../src/cmd/commands/subcommands.ts';
import { paletteOf } from '../../../src/cmd/output/terminal.ts';
import type { ResourceStore } from '../../../src/ports/cluster/resource-store.ts';
import { withGateways } from '../domain/explanation/trace/traced.ts';
import { capturedSituation } from './captured-situation.ts';
import { containerOf, type Run, runCommand } from './run-in-process.ts';

const ESCAPE = '\u001b';
const names = Object.values(subcommands).flatMap((listed) => listed.map(({ name }) => name));

/** Does nothing, and is as it is. */
const resting = { onChange: () => undefined, close: () => Promise.resolve() };

/** The captured node, which is this one as well, and the objects that go with it. */
async function container(): Promise<Container> {
  const situation = withGateways(await capturedSituation());
  const [node] = situation.nodes;
  const all = containerOf(situation);
  const part = { ...resting, read: () => Promise.resolve({ read: true, value: node }) };
  const objects = { snapshot: situation.cluster, origins: new Map(), warnings: [], uids: new Map() };
  const store = { ...resting, read: () => Promise.resolve({ read: true, value: objects }) };
  all.bind(ports.resourceStore).toConstantValue(() => store as unknown as ResourceStore);
  all.bind(ports.liveNode).toConstantValue(
    () =>
      ({
        hostNetwork: part,
        switchDatabase: part,
        kernelSettings: part,
        ledgerStore: { read: () => Promise.resolve({ read: true, value: node!.ledger }) },
      }) as never,
  );
  return all;
}

const inputs = ['--cluster', 'cluster.yaml', '--host', 'worker-a=captures/worker-a'];

/** A run of each command that has colours, and of plan with each of its tables. */
const coloured: readonly (readonly [string, readonly string[]])[] = [
  ['plan', ['--commands', '--flows', ...inputs]],
  ['plan', ['--networks', 'all', ...inputs]],
  ['plan', ['--cluster', 'cluster.yaml']],
  ['explain', ['blue', 'worker-a', ...inputs]],
  ['flows', ['worker-a', ...inputs]],
  ['trace', ['red', 'worker-a', 'tcp 10.30.1.5:40000 > 172.20.0.9:443', ...inputs]],
  ['trace', ['red', 'worker-a', 'udp 10.30.1.5:1 > 172.20.0.9:2', '--length', '9000', ...inputs]],
  ['node', ['--node', 'worker-a', '--dry-run', '--manifests', '/etc/ovn-uplinks']],
];

/** Commands whose output is for programs, or a line. */
const withoutColours = [
  'validate',
  'capture',
  'crds',
  'cluster-manager',
  'install-cni-plugin',
  'ovn-databases',
  'ovn-controller',
];

describe('colours', () => {
  const run = async (words: readonly string[], colours: boolean): Promise<Run> =>
    await runCommand(await container(), words, { colours });

  for (const [name, words] of coloured) {
    it(`are the only difference between the output of ${name} on a terminal and elsewhere: ${words[0]}`, async () => {
      const [onTerminal, elsewhere] = [await run([name, ...words], true), await run([name, ...words], false)];
      expect(onTerminal.err).to.deep.equal(elsewhere.err);
      expect(onTerminal.out.map(stripVTControlCharacters)).to.deep.equal(elsewhere.out);
      expect(onTerminal.out.join('\n')).to.include(ESCAPE).and.not.include('\\x1b');
      expect(elsewhere.out.join('\n')).not.to.include(ESCAPE);
    });
  }

  it('are tried with every command', () => {
    expect([...new Set(coloured.map(([name]) => name)), ...withoutColours]).to.have.members(names);
  });

  it('are not taken from names', () => {
    const palette = paletteOf({ out: () => undefined, err: () => undefined, colours: true, progress: false });
    expect(palette.bad(`${ESCAPE}[2J`)).to.equal(`${ESCAPE}[31m\\x1b[2J${ESCAPE}[39m`);
  });
});

describe('lines', () => {
  /** The lines of a command on a terminal of a width, or elsewhere. */
  async function linesOf(words: readonly string[], columns?: number): Promise<readonly string[]> {
    const { out } = await runCommand(await container(), words, { columns });
    return out.flatMap((text) => text.split('\n'));
  }
  const longest = (lines: readonly string[]) => Math.max(...lines.map(({ length }) => length));
  const textOf = (lines: readonly string[]) => lines.join(' ').replaceAll(/\s+/g, '');

  for (const [name, words] of coloured.filter(
    ([, options]) => !options.includes('--commands') && options[0] !== '--node',
  )) {
    it(`of ${name} are as wide as the terminal, and lose nothing but flows: ${words[0]}`, async () => {
      const elsewhere = await linesOf([name, ...words]);
      for (const columns of [60, 80, 120, 200]) {
        const lines = await linesOf([name, ...words], columns);
        expect(longest(lines), `${columns} columns`).to.be.at.most(columns);
        if (name !== 'flows') expect(textOf(lines)).to.equal(textOf(elsewhere));
      }
      if (name === 'flows') expect(await linesOf([name, ...words, '--wide'], 80)).to.deep.equal(elsewhere);
    });
  }

  it('of plan are of any length on request', async () => {
    const words = ['plan', '--flows', ...inputs];
    expect(longest(await linesOf(words, 80))).to.equal(80);
    expect(await linesOf([...words, '--wide'], 80)).to.deep.equal(await linesOf(words));
  });

  it('that are not printed on a terminal are not padded to the longest of all actions', async () => {
    const lines = await linesOf(['flows', 'worker-a', ...inputs]);
    expect(lines.filter((line) => line.length > 1000).length).to.be.below(5);
  });
});

describe('help', () => {
  /** The help of a command on a terminal of that width; without a name of the program. */
  async function help(name: string | undefined, width: number): Promise<readonly string[]> {
    const terminal = { out: () => undefined, err: () => undefined, colours: false, progress: false };
    const program = await ovnUplinksCommand(name === undefined ? [] : [name], new Container(), terminal);
    const command = name === undefined ? program : program.commands.find((each) => each.name() === name)!;
    let printed = '';
    command.configureOutput({ writeOut: (text) => void (printed += text), getOutHelpWidth: () => width }).outputHelp();
    return printed.split('\n');
  }

  for (const name of [undefined, ...names]) {
    it(`of ${name ?? 'the program'} is as wide as the terminal, but for examples, which are 80 columns wide`, async () => {
      const [narrow, wide] = [await help(name, 80), await help(name, 140)];
      const tooLong = (lines: readonly string[], width: number) =>
        lines.filter(
          (line) => line.length > (/^ {2}(ovn-uplinks|kubectl|kinds=)|^ {4}(--|\|)/.test(line) ? 80 : width),
        );
      expect(tooLong(narrow, 80)).to.deep.equal([]);
      expect(tooLong(wide, 140)).to.deep.equal([]);
      expect(wide.join(' ').replaceAll(/\s+/g, ' ')).to.equal(narrow.join(' ').replaceAll(/\s+/g, ' '));
    });
  }

  it('lists every command with a summary, those of containers apart', async () => {
    const lines = await help(undefined, 200);
    expect(lines.filter((line) => /^\S.*:$/.test(line))).to.deep.equal(['Options:', ...Object.keys(subcommands)]);
    for (const name of names)
      expect(
        lines.filter((line) => new RegExp(`^  ${name} +\\S`).test(line)),
        name,
      ).to.have.length(1);
  });
});
