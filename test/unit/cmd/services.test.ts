import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Command } from 'commander';
import { Container } from 'inversify';
import { LEDGER_FOLDER } from '../../../src/adapters/ledger-file/ledger-file.ts';
import { addClusterManager } from '../../../src/cmd/commands/cluster-manager.ts';
import { addNode } from '../../../src/cmd/commands/node.ts';
import { processTerminal } from '../../../src/cmd/output/terminal.ts';
import { mayWrite, settingOf, type UnitFile, unitFile } from './unit-file.ts';

const documentation = join(import.meta.dirname, '../../../docs');

/** The words that a unit starts its program with; what the administrator may add is none of them. */
function wordsOf(unit: UnitFile): readonly string[] {
  return settingOf(unit, 'ExecStart')
    .split(' ')
    .filter((word) => word !== '$OVN_UPLINKS_OPTIONS');
}

/** The subcommand of a unit with what its program makes of the words after it. */
function parsed(unit: UnitFile) {
  const program = new Command();
  addNode(program, new Container(), processTerminal());
  addClusterManager(program, new Container(), processTerminal());
  const [, name, ...words] = wordsOf(unit);
  const command = program.commands.find((each) => each.name() === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  const { operands, unknown } = command.parseOptions([...words]);
  return { unused: [...operands, ...unknown], options: command.opts<{ readonly manifests?: string }>() };
}

describe('the services', () => {
  const units = {
    'ovn-uplinks.service': [LEDGER_FOLDER, '/proc/sys/net/ipv4/conf/br-blue'],
    'ovn-uplinks-cluster-manager.service': [],
  } as const;

  for (const [name, written] of Object.entries(units)) {
    const unit = unitFile(name);

    it(`${name} starts the program with existing options`, () => {
      expect(parsed(unit).unused).to.deep.equal([]);
    });

    it(`${name} may write wherever its program writes`, () => {
      const { manifests = '' } = parsed(unit).options;
      expect(manifests).to.match(/^\//);
      for (const path of [`${manifests}/status/UplinkState`, ...written]) expect(mayWrite(unit, path), path).to.be.true;
    });

    it(`${name} may not write elsewhere`, () => {
      for (const path of ['/etc/passwd', '/usr/bin', '/root/.ssh']) expect(mayWrite(unit, path), path).to.be.false;
    });

    it(`${name} creates the folder of the objects, which must exist to be writable`, () => {
      expect(`/etc/${settingOf(unit, 'ConfigurationDirectory')}`).to.equal(parsed(unit).options.manifests);
    });

    it(`${name} is restarted however often it exits`, () => {
      expect(settingOf(unit, 'Restart')).to.equal('always');
      expect(settingOf(unit, 'StartLimitIntervalSec')).to.equal('0');
    });

    it(`${name} reads further options from a file of the administrator's`, () => {
      expect(settingOf(unit, 'ExecStart').split(' ').at(-1)).to.equal('$OVN_UPLINKS_OPTIONS');
      expect(settingOf(unit, 'EnvironmentFile')).to.equal(`-/etc/default/${name.replace('.service', '')}`);
    });

    it(`${name} has the path of the documentation, and so has its program`, () => {
      const text = readFileSync(join(documentation, 'running.md'), 'utf8');
      const [, prefix] = /npm install --global --prefix (\S+)/.exec(text) ?? [];
      expect(wordsOf(unit)[0]).to.equal(`${prefix}/bin/ovn-uplinks`);
      expect(settingOf(unit, 'Documentation')).to.equal(
        `file://${prefix}/lib/node_modules/ovn-uplinks/docs/running.md`,
      );
      expect(text).to.include(name);
    });
  }

  it('keep the ledger on exit: it records what to restore', () => {
    expect(settingOf(unitFile('ovn-uplinks.service'), 'RuntimeDirectoryPreserve')).to.equal('yes');
  });
});
