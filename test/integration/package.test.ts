import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { execa, execaNode } from 'execa';
import { ovnUplinks, workerA } from './command.ts';

const root = join(import.meta.dirname, '../..');

/** The TypeScript examples of the documentation, in order. */
const examples = ['README.md', 'docs/embedding.md'].flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/```ts\n([^]*?)```/g)].map(([, code = '']) => ({ file, code })),
);

/** The output of an example, as the comments behind its calls say. */
const printedBy = (code: string) =>
  [...code.matchAll(/^ *[\w.]+\(.*\); \/\/ (.*)$/gm)].map(([, text = '']) => text).join('\n');

describe('the package, as npm installs it', () => {
  let project: string;
  before(async () => {
    project = mkdtempSync(join(tmpdir(), 'ovn-uplinks-package-'));
    // Beside the checkout: whoever runs what is built there is not disturbed.
    const built = join(project, 'built');
    await execaNode(join(root, 'scripts/build.ts'), [join(built, 'dist')]);
    for (const name of ['package.json', 'README.md', 'LICENSE', 'docs', 'config']) {
      cpSync(join(root, name), join(built, name), { recursive: true });
    }
    const { stdout } = await execa('npm', ['pack', '--silent', '--pack-destination', project], { cwd: built });
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
    await execa('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', join(project, stdout.trim())], {
      cwd: project,
    });
  });
  after(() => {
    rmSync(project, { recursive: true });
  });

  it('has the command', async () => {
    const { stdout } = await execa(process.execPath, ['node_modules/ovn-uplinks/dist/cmd/main.js', '--help'], {
      cwd: project,
    });
    expect(stdout).to.match(/plan.*\n(.*\n)*.*explain.*\n(.*\n)*.*validate.*\n(.*\n)*.*capture/);
  });

  it('prints the same bytes as its source', async () => {
    const args = ['plan', ...workerA];
    const installed = join(project, 'node_modules/ovn-uplinks/dist/cmd/main.js');
    const { stdout } = await execa(process.execPath, [installed, ...args], { cwd: root, env: { NO_COLOR: '1' } });
    expect(stdout).to.equal((await ovnUplinks(args)).stdout);
  });

  it('has what a cluster needs', () => {
    const installed = join(project, 'node_modules/ovn-uplinks/config');
    expect(readdirSync(installed, { recursive: true })).to.include.members([
      'kustomization.yaml',
      'agent/daemon-set.yaml',
    ]);
  });

  it('reports its version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
    const { stdout } = await execa(process.execPath, ['node_modules/ovn-uplinks/dist/cmd/main.js', '--version'], {
      cwd: project,
    });
    expect(stdout).to.equal(version);
  });

  for (const [index, { file: page, code }] of examples.entries()) {
    it(`runs example ${index + 1}, of ${page}`, async () => {
      const file = join(project, `example-${index}.ts`);
      writeFileSync(file, code);
      const { stdout } = await execa(process.execPath, [file], { cwd: project });
      expect(stdout).to.equal(printedBy(code));
    });
  }

  it('has examples to run', () => {
    expect(examples).to.have.length(6);
    expect(examples.map(({ code }) => printedBy(code)).filter((text) => text !== '')).to.have.length(5);
  });
});
