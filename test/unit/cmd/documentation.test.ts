import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Command } from 'commander';
import { Container } from 'inversify';
import { ClusterMetrics } from '../../../src/adapters/prometheus/cluster-metrics.ts';
import { NodeMetrics } from '../../../src/adapters/prometheus/node-metrics.ts';
import { addClusterManager } from '../../../src/cmd/commands/cluster-manager.ts';
import { addNode } from '../../../src/cmd/commands/node.ts';
import { processTerminal } from '../../../src/cmd/output/terminal.ts';
import { kinds } from '../../../src/domain/api/kinds.ts';
import { defaultSettings } from '../../../src/domain/index.ts';

const running = readFileSync(join(import.meta.dirname, '../../../docs/running.md'), 'utf8');

/** The names that do not stand in docs/running.md as code. */
function missing(names: readonly string[]): readonly string[] {
  const words = new Set([...running.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(/[\s{]/)));
  const blocks = [...running.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, code = '']) => code.split(/\s+/));
  return names.filter((name) => !words.has(name) && !blocks.includes(name));
}

describe('docs/running.md', () => {
  for (const name of ['node', 'cluster-manager']) {
    it(`documents every option of ${name}`, () => {
      const program = new Command();
      addNode(program, new Container(), processTerminal());
      addClusterManager(program, new Container(), processTerminal());
      const options = program.commands.find((command) => command.name() === name)?.options ?? [];
      expect(options).to.not.be.empty;
      expect(missing(options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? ''))).to.deep.equal([]);
    });
  }

  it('documents every metric', async () => {
    const texts = [(await new NodeMetrics().text()).text, (await new ClusterMetrics().text()).text];
    const names = texts.flatMap((text) =>
      [...text.matchAll(/^# HELP (ovn_uplinks\S+)/gm)].map(([, metric = '']) => metric),
    );
    expect(names).to.include('ovn_uplinks_readable');
    expect(missing(names)).to.deep.equal([]);
  });

  it('documents every kind of object that is read', () => {
    expect(missing(Object.values(kinds).map(({ kind }) => kind))).to.deep.equal([]);
  });

  it('documents the default service subnet', () => {
    expect(running).to.include(`The default ${defaultSettings.serviceCidrs.join(', ')} is`);
  });
});
