import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { CHECKOUT, unpackedImage, type UnpackedImage } from './unpacked-image.ts';

const { version, dependencies } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
};

/** Packages of the project that are not in the program: the laws are for other controllers. */
const NOT_IN_THE_PROGRAM: ReadonlySet<string> = new Set(['fast-check', 'yaml']);

/** Paths of files below a folder. */
function filesBelow(folder: string): readonly string[] {
  return execFileSync('find', [folder, '!', '-type', 'd', '-print0'], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

/** The commit of the checkout; undefined where it is no repository. */
function revision(): string | undefined {
  try {
    const words = ['-C', CHECKOUT, 'rev-parse', 'HEAD'];
    return execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

describe('the image', function () {
  this.timeout(600_000);
  let image: UnpackedImage;
  before(() => {
    image = unpackedImage();
  });
  const file = (path: string) => join(image.rootfs, path);
  const text = (path: string) => readFileSync(file(path), 'utf8');
  // Without NODE_COMPILE_CACHE, of which the image would keep the files.
  const inImage = (...words: readonly string[]) =>
    execFileSync('chroot', [image.rootfs, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'] },
    });

  it('has the command in its PATH', () => {
    expect(inImage('ovn-uplinks', '--version').trim()).to.equal(version);
    expect(image.configuration.config.Env).to.deep.equal([
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ]);
  });

  it('reports its version', () => {
    const { architecture, created, config } = image.configuration;
    expect(architecture).to.equal(process.arch === 'x64' ? 'amd64' : process.arch);
    expect(config.Entrypoint).to.deep.equal(['/usr/bin/ovn-uplinks']);
    expect(config.User).to.equal('65532:65532');
    const label = (name: string) => config.Labels[`org.opencontainers.image.${name}`];
    expect(['title', 'version', 'licenses', 'created'].map(label)).to.deep.equal([
      'ovn-uplinks',
      version,
      'Apache-2.0',
      created,
    ]);
    expect(label('revision')).to.equal(revision());
  });

  it('is imported under the name that config has', () => {
    const { images } = load(readFileSync(join(CHECKOUT, 'config/default/kustomization.yaml'), 'utf8')) as {
      readonly images: readonly [{ readonly name: string; readonly newTag: string }];
    };
    const [{ name, newTag }] = images;
    expect(newTag).to.equal(version);
    const reference = `${name}:${version}`;
    expect(image.annotations).to.deep.equal({
      'org.opencontainers.image.ref.name': reference,
      'io.containerd.image.name': `docker.io/library/${reference}`,
    });
  });

  it('has every program that the agent runs; a capture is made on the node itself', () => {
    const sources = filesBelow(join(CHECKOUT, 'src/adapters')).filter((path) => !path.includes('/capture/'));
    const calls = /(?:\.run\(|\.start\(|new InteractiveProgram\(\s*\w+,\s*\[)\s*'([a-z-]+)'/g;
    const programs = sources.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(calls)].map(([, name]) => name));
    expect([...new Set(programs)].sort()).to.deep.equal(['devlink', 'ip', 'nft', 'ovs-ofctl', 'ovsdb-tool']);
    // The probes of OVN in pods run ovs-appctl.
    for (const program of ['devlink', 'ip', 'nft', 'ovs-appctl', 'ovs-ofctl', 'ovsdb-tool'])
      expect(inImage(program, '-V')).to.include(program);
    // Rules are JSON.
    expect(inImage('nft', '-V')).to.match(/json:\s+yes/);
  });

  it('has the CNI plugin, for hosts that have none of its other files', () => {
    const plugin = file('usr/lib/ovn-uplinks/ovn-uplinks-cni');
    const asked = { encoding: 'utf8', input: '{"cniVersion":"1.1.0"}', env: { CNI_COMMAND: 'VERSION' } } as const;
    expect(JSON.parse(execFileSync(plugin, asked))).to.deep.include({ cniVersion: '1.1.0' });
    // The ELF header of a static program has no interpreter.
    expect(execFileSync('readelf', ['--program-headers', plugin], { encoding: 'utf8' })).not.to.include('INTERP');
  });

  it('has no shell, no interpreter besides Node.js, and no file that raises privileges', () => {
    const programs = ['bin', 'sbin'].flatMap((folder) => readdirSync(file(`usr/${folder}`)));
    expect(programs).to.include('node');
    expect(programs.filter((name) => /^(ba|da|)sh$|perl|python|apt|dpkg/.test(name))).to.deep.equal([]);
    const privileged = filesBelow(image.rootfs).filter((path) => (lstatSync(path).mode & 0o6000) !== 0);
    expect(privileged).to.deep.equal([]);
  });

  it('takes less than 250 MB', () => {
    const bytes = filesBelow(image.rootfs).reduce((sum, path) => sum + lstatSync(path).size, 0);
    console.log(`      ${Math.round(bytes / 1e6)} MB unpacked, ${Math.round(lstatSync(image.archive).size / 1e6)} MB`);
    expect(bytes).to.be.below(250e6);
  });

  it('has the licences of all its contents', () => {
    const licences = text('usr/share/doc/ovn-uplinks/THIRD-PARTY.txt');
    const named = new Set([...licences.matchAll(/^(\S+) \d\S* \((.*)\)$/gm)].map(([, name = '']) => name));
    for (const name of Object.keys(dependencies)) {
      if (!NOT_IN_THE_PROGRAM.has(name)) expect(named).to.include(name);
    }
    // esbuild names the file of each module that it bundles.
    const folder = 'usr/lib/ovn-uplinks/dist/cmd';
    const program = readdirSync(file(folder))
      .map((name) => text(`${folder}/${name}`))
      .join('\n');
    const bundled = [...program.matchAll(/^\s*(?:"|\/\/ )(?:\S*\/)?node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm)];
    expect(bundled.length).to.be.above(100);
    for (const [, name = ''] of bundled) expect(named).to.include(name);
    for (const [line, , license] of licences.matchAll(/^(\S+) \d\S* \((.*)\)$/gm)) {
      expect(license, line).to.match(/MIT|Apache-2\.0|BSD|ISC|0BSD|BlueOak/);
    }
    const ofPlugin = text('usr/share/doc/ovn-uplinks/THIRD-PARTY-GO.txt');
    const modules = readFileSync(join(CHECKOUT, 'cni-plugin/go.mod'), 'utf8').matchAll(/^\W+(\S+\/\S+) (v\S+)/gm);
    for (const [, name, moduleVersion] of modules) expect(ofPlugin).to.include(`\n${name} ${moduleVersion}\n`);
    for (const name of ['ovn-uplinks', 'nodejs', ...readdirSync(file('var/lib/dpkg/status.d'))]) {
      expect(existsSync(file(`usr/share/doc/${name}/copyright`)), name).to.equal(true);
    }
  });

  it('names its packages of Debian for scanners', () => {
    const requested = readFileSync(join(CHECKOUT, 'scripts/image.packages'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(readdirSync(file('var/lib/dpkg/status.d'))).to.include.members(requested);
    expect(text('var/lib/dpkg/status.d/iproute2')).to.match(/^Package: iproute2\nVersion: \S+$/m);
  });

  it('is reproducible', () => {
    const again = `${image.archive}.again`;
    execFileSync(join(CHECKOUT, 'scripts/build-image'), [again], { stdio: ['ignore', 'ignore', 'inherit'] });
    try {
      expect(readFileSync(again).equals(readFileSync(image.archive))).to.equal(true);
    } finally {
      rmSync(again);
    }
  });

  it('has the same files and settings if a builder makes it from Containerfile', () => {
    const lines = readFileSync(join(CHECKOUT, 'Containerfile'), 'utf8').split('\n');
    const value = (word: string) => lines.findLast((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
    const { User, Env, Entrypoint, WorkingDir } = image.configuration.config;
    expect({
      User: value('USER'),
      Env: [value('ENV')],
      Entrypoint: JSON.parse(value('ENTRYPOINT') ?? '') as unknown,
      WorkingDir: value('WORKDIR'),
    }).to.deep.equal({ User, Env, Entrypoint, WorkingDir });
    expect(lines).to.include('RUN /ovn-uplinks/scripts/build-image --tree /image');
    expect(lines).to.include('COPY --from=build /image /');
    expect(readlinkSync(join(CHECKOUT, '.dockerignore'))).to.equal('.containerignore');
  });
});
