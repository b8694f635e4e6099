import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { agents, manifest, manifests, save } from './agent.ts';

describe('an object of the folder', () => {
  const newAgent = agents();

  it('moves with its file', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    await agent.read();
    const { snapshot } = agent.value;
    renameSync(join(agent.folder, 'a.yaml'), join(agent.folder, 'b.yaml'));
    await agent.until(
      'the file has another name',
      () => agent.value.origins.get('Uplink/blue') === join(agent.folder, 'b.yaml'),
    );
    expect(agent.history).to.deep.equal(['blue=br-blue']);
    expect(agent.value.snapshot).to.deep.equal(snapshot);
    expect(agent.warnings).to.deep.equal([]);
  });

  it('is pasted and then cut: it stays in its file until it is cut', async () => {
    const agent = newAgent({ 'a.yaml': manifests(manifest('blue'), manifest('red')), 'b.yaml': manifest('tea') });
    await agent.read();
    save(join(agent.folder, 'b.yaml'), manifests(manifest('tea'), manifest('blue', 'br-new')));
    await agent.until('there is a warning', () => agent.warnings.length === 1);
    expect(agent.warnings).to.deep.equal([
      'b.yaml: Uplink/blue: is given twice: in a.yaml at line 1 and in b.yaml at line 3; remove it from one of them',
    ]);
    save(join(agent.folder, 'a.yaml'), manifest('red'));
    await agent.sees('blue=br-new', 'red=br-red', 'tea=br-tea');
    expect(agent.warnings).to.deep.equal([]);
    expect(agent.history).to.have.length(2);
  });

  it('is pasted into a file that comes first: it stays in its file too', async () => {
    const agent = newAgent({ 'a.yaml': manifest('tea'), 'b.yaml': manifest('blue') });
    await agent.read();
    save(join(agent.folder, 'a.yaml'), manifests(manifest('tea'), manifest('blue', 'br-new')));
    await agent.until('there is a warning', () => agent.warnings.length === 1);
    expect(agent.warnings[0]).to.match(/^a\.yaml: Uplink\/blue: is given twice: in b\.yaml and in a\.yaml at line 3;/);
    expect(agent.uplinks).to.deep.equal(['blue=br-blue', 'tea=br-tea']);
    rmSync(join(agent.folder, 'b.yaml'));
    await agent.sees('blue=br-new', 'tea=br-tea');
  });

  it('is cut and soon pasted: it is never gone', async () => {
    const agent = newAgent({ 'a.yaml': manifests(manifest('blue'), manifest('red')), 'b.yaml': manifest('tea') });
    await agent.read();
    save(join(agent.folder, 'a.yaml'), manifest('red'));
    await agent.until('the cut was seen', () => agent.told > 1);
    await pause(120);
    save(join(agent.folder, 'b.yaml'), manifests(manifest('tea'), manifest('blue', 'br-new')));
    await agent.sees('blue=br-new', 'red=br-red', 'tea=br-tea');
    expect(agent.history).to.have.length(2);
  });

  it('is taken out of a file and not put anywhere: it is gone', async () => {
    const agent = newAgent({ 'a.yaml': manifests(manifest('blue'), manifest('red')) });
    await agent.read();
    save(join(agent.folder, 'a.yaml'), manifest('red'));
    await agent.sees('red=br-red');
  });

  it('moves out of a file that then goes bad: current content takes precedence', async () => {
    const agent = newAgent({ 'a.yaml': manifests(manifest('blue'), manifest('red')), 'b.yaml': manifest('tea') });
    await agent.read();
    save(join(agent.folder, 'b.yaml'), manifests(manifest('tea'), manifest('blue', 'br-new')));
    save(join(agent.folder, 'a.yaml'), 'kind: [');
    await agent.sees('blue=br-new', 'red=br-red', 'tea=br-tea');
    expect(agent.warnings.map((warning) => warning.split(':')[0])).to.deep.equal(['a.yaml']);
    rmSync(join(agent.folder, 'a.yaml'));
    await agent.sees('blue=br-new', 'tea=br-tea');
  });

  it('appears in two new files: the first by path is used', async () => {
    const agent = newAgent({ 'a.yaml': manifest('red') });
    await agent.read();
    save(join(agent.folder, 'c.yaml'), manifest('blue', 'br-c'));
    save(join(agent.folder, 'b.yaml'), manifest('blue', 'br-b'));
    await agent.until('both were read', () => agent.warnings.length === 1);
    expect(agent.warnings[0]).to.match(/^c\.yaml: Uplink\/blue: is given twice: in b\.yaml and in c\.yaml;/);
    expect(agent.uplinks).to.deep.equal(['blue=br-b', 'red=br-red']);
    rmSync(join(agent.folder, 'b.yaml'));
    await agent.sees('blue=br-c', 'red=br-red');
  });

  it('is given twice from the start: nothing is read', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue'), 'b.yaml': manifest('blue', 'br-b') });
    await agent.read();
    expect(agent.problems).to.deep.equal([
      'b.yaml: Uplink/blue: is given twice: in a.yaml and in b.yaml; remove it from one of them',
    ]);
    rmSync(join(agent.folder, 'a.yaml'));
    await agent.sees('blue=br-b');
  });
});
