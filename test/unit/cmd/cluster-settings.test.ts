import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Container } from 'inversify';
import { load } from 'js-yaml';
import type { StartedWithReading } from '../../../src/adapters/kubernetes/cluster-settings.ts';
import { type KubeconfigChoice, ports } from '../../../src/cmd/ports/container.ts';
import { temporaryFolders } from '../adapters/temporary-folders.ts';
import { runCommand } from './run-in-process.ts';

const newFolder = temporaryFolders();

/** The configuration that a running cluster manager was started with. */
function started(files: Readonly<Record<string, string>>, ...words: readonly string[]): StartedWithReading {
  return {
    outcome: 'read',
    value: {
      source: 'ConfigMap a/b',
      files: Object.entries(files).map(([name, text]) => ({ name: `ConfigMap a/b: ${name}`, text })),
      deployment: 'Deployment a/c',
      words,
    },
  };
}

/** The effective options of `plan` with a cluster, and what was said. */
async function effective(reading: StartedWithReading, ...words: readonly string[]) {
  const asked: (readonly [KubeconfigChoice, string])[] = [];
  const container = new Container();
  container.bind(ports.startedWith).toConstantValue((...question) => {
    asked.push(question);
    return Promise.resolve(reading);
  });
  const source = words.some((word) => word === '--cluster') ? [] : ['--kubeconfig', 'k'];
  const { out, err, exitCode } = await runCommand(container, ['plan', '--print-config', ...source, ...words]);
  const settings = out.length === 0 ? {} : (load(out.join('\n')) as Record<string, unknown>);
  return { settings, err, exitCode, asked };
}

describe('the settings of a command', () => {
  it('are those of the cluster that it reads; files count in the order of their names, options most', async () => {
    const files = { 'networks.yaml': 'networks: all\nmode: full\n', 'settings.yaml': 'networks: with-uplinks\n' };
    const { settings, err } = await effective(started(files), '--gateway-mode', 'local');
    expect(settings).to.include({ networks: 'with-uplinks', 'gateway-mode': 'local' });
    expect(err).to.deep.equal(['settings: ConfigMap a/b']);
    expect((await effective(started(files), '--networks', 'none')).settings).to.include({ networks: 'none' });
  });

  it('are also those on the command line of the cluster manager, as former versions have them', async () => {
    const words = ['ovn-uplinks', 'cluster-manager', '--config=/etc/x.yaml', '--networks=all', '--dynamic-udn'];
    const lists = [
      '--service-cidr',
      '10.1.0.0/16',
      '--service-cidr=fd98::/112',
      '--cluster-cidr=10.2.0.0/16',
      '--listen=:9478',
      '--once',
    ];
    const { settings, err } = await effective(started({ a: 'networks: none' }, ...words, ...lists));
    expect(settings).to.deep.include({
      networks: 'all',
      'dynamic-udn': true,
      'service-cidr': ['10.1.0.0/16', 'fd98::/112'],
      'cluster-cidr': ['10.2.0.0/16'],
    });
    expect(err).to.deep.equal(['settings: ConfigMap a/b, and the command of Deployment a/c']);
  });

  it('do not say how results are printed', async () => {
    expect((await effective(started({ a: 'output: json\n' }))).settings).to.include({ output: 'text' });
  });

  for (const [name, reading, why] of [
    [
      'the cluster does not tell them',
      { outcome: 'unknown', message: 'Deployment a/c: not found (HTTP 404)' },
      'Deployment a/c: not found (HTTP 404)',
    ],
    [
      'they are not valid',
      started({ a: 'networks: some\n' }),
      'ConfigMap a/b: a: networks: expected one of none, with-uplinks, all, found string "some"',
    ],
  ] as const) {
    it(`are defaults, with a warning, where ${name}`, async () => {
      const { settings, err, exitCode } = await effective(reading);
      expect([settings['networks'], exitCode]).to.deep.equal(['none', 0]);
      expect(err).to.deep.equal([
        `warning: the settings of the cluster cannot be read, so defaults count: ${why}; --config names a file with them`,
      ]);
    });
  }

  it('are not asked for twice where there is no answer', async () => {
    const { err, exitCode } = await effective({ outcome: 'unusable', message: 'https://a cannot be reached' });
    expect({ err, exitCode }).to.deep.equal({ err: ['error: https://a cannot be reached'], exitCode: 1 });
  });

  it('are those of --config alone, and of no cluster where the objects are in files', async () => {
    const file = join(newFolder(), 'settings.yaml');
    writeFileSync(file, 'networks: with-uplinks\n');
    for (const words of [
      ['--config', file],
      ['--cluster', 'cluster.yaml'],
    ]) {
      const { settings, err, asked } = await effective(started({ a: 'networks: all\n' }), ...words);
      expect([settings['networks'], err, asked]).to.deep.equal([
        words[0] === '--config' ? 'with-uplinks' : 'none',
        [],
        [],
      ]);
    }
  });

  it('are asked for with the time that a request may take, in the namespace of ovn-uplinks', async () => {
    const { asked } = await effective(started({}), '--request-timeout', '3s', '--system-namespace', 'uplinks');
    expect(asked).to.deep.equal([[{ files: ['k'], requestTimeout: 3000 }, 'uplinks']]);
  });

  it('are in all files of a folder, as a ConfigMap is mounted', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, '..2026_11_26'));
    symlinkSync('..2026_11_26', join(folder, '..data'));
    for (const [name, text] of Object.entries({ 'networks.yaml': 'networks: all\n', 'settings.yaml': '# none\n' })) {
      writeFileSync(join(folder, '..2026_11_26', name), text);
      symlinkSync(`..data/${name}`, join(folder, name));
    }
    const { settings, err } = await effective(started({}), '--config', folder);
    expect([settings['networks'], err]).to.deep.equal(['all', []]);
  });

  it('have a former name in files, with a warning', async () => {
    const file = join(newFolder(), 'settings.yaml');
    writeFileSync(file, 'namespace: uplinks\n');
    const { settings, err } = await effective(started({}), '--config', file);
    expect(settings).to.include({ 'system-namespace': 'uplinks' });
    expect(err).to.deep.equal([`warning: ${file}: namespace: is called system-namespace now`]);
  });

  for (const agent of ['node', 'cluster-manager']) {
    it(`have a former name on the command line of ${agent}, with a warning`, async () => {
      const words = [agent, '--namespace', 'uplinks', '--print-config'];
      const { out, err } = await runCommand(new Container(), words);
      expect(load(out.join('\n'))).to.include({ 'system-namespace': 'uplinks' });
      expect(err).to.deep.equal(['warning: --namespace is called --system-namespace now']);
    });
  }

  for (const [name, path] of [
    ['an empty folder', () => newFolder()],
    [
      'a folder with a folder',
      () => {
        const folder = newFolder();
        mkdirSync(join(folder, 'more'));
        return folder;
      },
    ],
    ['a missing file', () => join(newFolder(), 'absent.yaml')],
  ] as const) {
    it(`cannot be in ${name}`, async () => {
      const { err, exitCode } = await effective(started({}), '--config', path());
      expect(exitCode).to.equal(1);
      expect(err).to.have.length(1);
      expect(err[0]).to.match(/^error: \/.*: (has no file|is a folder|is a directory|does not exist|.*not a)/);
    });
  }
});
