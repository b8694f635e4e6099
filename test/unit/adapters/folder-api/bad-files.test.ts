import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { asNobody } from '../manifests/as-nobody.ts';
import { agents, manifest, manifests, save } from './agent.ts';

/** How a file may be invalid, and the beginning of the message. */
const defects: readonly (readonly [string, (file: string) => void, string])[] = [
  ['it does not parse', (file) => save(file, 'kind: ['), 'a.yaml: line 1, column 8: '],
  ['it is empty', (file) => save(file, ''), 'a.yaml: is empty; to remove its objects delete the file'],
  ['it contains only white space', (file) => save(file, ' \n\n'), 'a.yaml: is empty; '],
  ['it is binary', (file) => save(file, Buffer.from([1, 0xff, 0])), 'a.yaml: is not UTF-8 text'],
  ['it contains no object', (file) => save(file, 'blue\n'), 'a.yaml: line 1: expected an object with apiVersion'],
  [
    'it contains an invalid object beside a valid one',
    (file) => save(file, manifests(manifest('blue', 'br-new'), manifest('Red'))),
    'a.yaml: Uplink/Red: metadata.name: expected a name',
  ],
  [
    'it contains an object twice',
    (file) => save(file, manifests(manifest('blue', 'br-new'), manifest('blue'))),
    'a.yaml: Uplink/blue: is defined twice: in a.yaml at line 1 and in a.yaml at line 3',
  ],
  [
    'it is too large',
    (file) => {
      truncateSync(file, 64 * 1024 * 1024 + 1);
    },
    'a.yaml: has 67108865 bytes, more than the limit',
  ],
  [
    'it is a symbolic link to itself',
    (file) => {
      rmSync(file);
      symlinkSync(file, file);
    },
    'a.yaml: is in a loop of symbolic links',
  ],
  [
    'it is a named pipe',
    (file) => {
      rmSync(file);
      execFileSync('mkfifo', [file]);
    },
    'a.yaml: is a named pipe',
  ],
];

describe('a file of the folder becomes invalid', () => {
  const newAgent = agents();

  for (const [name, corrupt, message] of defects) {
    it(`${name}: its last valid version stays in use, with a warning, until it is valid`, async () => {
      const agent = newAgent({ 'a.yaml': manifest('blue'), 'b.yaml': manifest('red') });
      await agent.read();
      corrupt(join(agent.folder, 'a.yaml'));
      await agent.until('there is a warning', () => agent.warnings.length === 1);
      expect(agent.warnings[0]!.slice(0, message.length)).to.equal(message);
      expect(agent.warnings[0]).to.match(/; the last valid version stays in use$/);
      expect(agent.history).to.deep.equal(['blue=br-blue red=br-red']);
      save(join(agent.folder, 'b.yaml'), manifest('red', 'br-other'));
      await agent.sees('blue=br-blue', 'red=br-other');
      rmSync(join(agent.folder, 'a.yaml'));
      save(join(agent.folder, 'a.yaml'), manifest('blue', 'br-new'));
      await agent.sees('blue=br-new', 'red=br-other');
      expect(agent.warnings).to.deep.equal([]);
      expect(agent.history).to.have.length(3);
    });

    it(`${name}, and is deleted: its objects are deleted`, async () => {
      const agent = newAgent({ 'a.yaml': manifest('blue'), 'b.yaml': manifest('red') });
      await agent.read();
      corrupt(join(agent.folder, 'a.yaml'));
      await agent.until('there is a warning', () => agent.warnings.length === 1);
      rmSync(join(agent.folder, 'a.yaml'));
      await agent.sees('red=br-red');
      expect(agent.warnings).to.deep.equal([]);
    });

    it(`${name} from the start: nothing is read until it is valid`, async () => {
      const agent = newAgent({ 'a.yaml': manifest('blue'), 'b.yaml': manifest('red') });
      corrupt(join(agent.folder, 'a.yaml'));
      await agent.read();
      expect(agent.problems).to.have.length(1);
      expect(agent.problems[0]!.slice(0, message.length)).to.equal(message);
      rmSync(join(agent.folder, 'a.yaml'));
      save(join(agent.folder, 'a.yaml'), manifest('blue'));
      await agent.sees('blue=br-blue', 'red=br-red');
    });

    it(`${name} and is new: it is not used, with a warning`, async () => {
      const agent = newAgent({ 'b.yaml': manifest('red') });
      await agent.read();
      const temporary = `${agent.folder}.a`;
      mkdirSync(join(agent.folder, 'x'));
      save(temporary, '');
      const file = join(agent.folder, 'a.yaml');
      renameSync(temporary, file);
      corrupt(file);
      await agent.until('there is a warning', () => agent.warnings.some((warning) => warning.startsWith(message)));
      expect(agent.warnings).to.have.length(1);
      expect(agent.warnings[0]).to.match(/; nothing of this file is used until it is valid$|^a.yaml: is (a|in a)/);
      expect(agent.history).to.deep.equal(['red=br-red']);
      rmSync(file);
      save(file, manifest('blue'));
      await agent.sees('blue=br-blue', 'red=br-red');
    });
  }

  it('a file without permission keeps its objects until it is readable again', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    chmodSync(dirname(agent.folder), 0o755);
    await agent.read();
    await asNobody(async () => {
      execFileSync('true');
      await agent.read();
    });
    chmodSync(join(agent.folder, 'a.yaml'), 0);
    await asNobody(() => agent.read());
    expect(agent.warnings).to.deep.equal([
      'a.yaml: cannot be read: permission denied; the last valid version stays in use',
    ]);
    expect(agent.uplinks).to.deep.equal(['blue=br-blue']);
    chmodSync(join(agent.folder, 'a.yaml'), 0o644);
    await agent.until('there is no warning', () => agent.warnings.length === 0);
  });

  it('a folder that cannot be listed keeps the objects of its files', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    const x = join(agent.folder, 'x');
    mkdirSync(x);
    save(join(x, 'b.yaml'), manifest('red'));
    await agent.read();
    renameSync(x, `${x}.away`);
    symlinkSync('x', x);
    rmSync(join(`${x}.away`, 'b.yaml'));
    await agent.until('there is a warning', () => agent.warnings.length > 0);
    expect(agent.warnings[0]).to.equal(
      `x/b.yaml: cannot be reached: x is in a loop of symbolic links; the last valid version stays in use`,
    );
    expect(agent.history).to.deep.equal(['blue=br-blue red=br-red']);
  });

  it('a folder at the target of a dangling link keeps the objects of its files', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    const target = `${agent.folder}.x`;
    mkdirSync(target);
    save(join(target, 'b.yaml'), manifest('red'));
    symlinkSync(target, join(agent.folder, 'x'));
    await agent.read();
    renameSync(target, `${target}.away`);
    await agent.until('there is a warning', () => agent.warnings.length > 0);
    expect(agent.warnings).to.deep.equal([
      'x/b.yaml: cannot be reached: x is a dangling symbolic link; the last valid version stays in use',
    ]);
    renameSync(`${target}.away`, target);
    await agent.until('there is no warning', () => agent.warnings.length === 0);
    expect(agent.history).to.deep.equal(['blue=br-blue red=br-red']);
  });

  it('a kind of a valid file is misspelled: its last valid version stays in use, with a warning', async () => {
    const misspelled = manifest('red', 'br-new').replace('"Uplink"', '"Uplnik"');
    const agent = newAgent({ 'a.yaml': manifests(manifest('blue'), manifest('red')), 'b.yaml': manifest('white') });
    await agent.read();
    save(join(agent.folder, 'a.yaml'), manifests(manifest('blue', 'br-new'), misspelled));
    await agent.until('there is a warning', () => agent.warnings.length === 1);
    expect(agent.warnings).to.deep.equal([
      'a.yaml: line 3: kind Uplnik of group k8s.ovn.org is not known; did you mean Uplink?; the last valid version stays in use',
    ]);
    save(join(agent.folder, 'b.yaml'), manifest('white', 'br-other'));
    await agent.sees('blue=br-blue', 'red=br-red', 'white=br-other');
    save(join(agent.folder, 'a.yaml'), manifests(manifest('blue', 'br-new'), manifest('red', 'br-new')));
    await agent.sees('blue=br-new', 'red=br-new', 'white=br-other');
    expect(agent.warnings).to.deep.equal([]);
    expect(agent.history).to.have.length(3);
  });

  it('a file with a misspelled kind is read without that object, with a warning, until the kind is right', async () => {
    const uplnik = manifest('red').replace('"Uplink"', '"Uplnik"');
    const warning = (line: number) =>
      `line ${line}: kind Uplnik of group k8s.ovn.org is not known; did you mean Uplink?`;
    const agent = newAgent({ 'a.yaml': manifests(manifest('blue'), uplnik) });
    await agent.read();
    expect(agent.warnings).to.deep.equal([`a.yaml: ${warning(3)}`]);
    save(join(agent.folder, 'b.yaml'), manifests(manifest('green'), manifest('white'), uplnik));
    await agent.sees('blue=br-blue', 'green=br-green', 'white=br-white');
    expect(agent.warnings).to.deep.equal([`a.yaml: ${warning(3)}`, `b.yaml: ${warning(5)}`]);
    save(join(agent.folder, 'b.yaml'), '{');
    await agent.until('b.yaml is invalid', () => agent.warnings.some((text) => text.startsWith('b.yaml: line 1,')));
    expect(agent.warnings).to.have.length(2);
    save(join(agent.folder, 'a.yaml'), manifests(manifest('blue'), manifest('red')));
    save(join(agent.folder, 'b.yaml'), manifest('green'));
    await agent.sees('blue=br-blue', 'green=br-green', 'red=br-red');
    expect(agent.warnings).to.deep.equal([]);
  });

  it('a folder that is missing or a file from the start is not read until it is a folder', async () => {
    const agent = newAgent({});
    rmSync(agent.folder, { recursive: true });
    await agent.read();
    expect(agent.problems).to.deep.equal(['DIR: does not exist']);
    save(agent.folder, manifest('blue'));
    await agent.read();
    expect(agent.problems).to.deep.equal(['DIR: is a file, not a folder of manifests']);
    rmSync(agent.folder);
    mkdirSync(agent.folder);
    save(join(agent.folder, 'a.yaml'), manifest('blue'));
    await agent.sees('blue=br-blue');
  });
});
