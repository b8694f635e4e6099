import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { agents, manifest, manifests, save } from './agent.ts';

describe('an object of the folder', () => {
  const newAgent = agents();

  it('stays when its file is renamed', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    await agent.read();
    const { snapshot } = agent.value;
    renameSync(join(agent.folder, 'a.yaml'), join(agent.folder, 'b.yaml'));
    await agent.until(
      'the file is renamed',
      () => agent.value.origins.get('Uplink/blue') === join(agent.folder, 'b.yaml'),
    );
    expect(agent.history).to.deep.equal(['blue=br-blue']);
    expect(agent.value.snapshot).to.deep.equal(snapshot);
    expect(agent.warnings).to.deep.equal([]);
  });

  it('that is pasted and then cut is read from the first file until it is cut', async () => {
    const agent = newAgent({ 'a.yaml': manifests(manifest('blue'), manifest('red')), 'b.yaml': manifest('tea') });
    await agent.read();
    save(join(agent.folder, 'b.yaml'), manifests(manifest('tea'), manifest('blue', 'br-new')));
    await agent.until('there is a warning', () => agent.warnings.length === 1);
    expect(agent.warnings).to.deep.equal([
      'b.yaml: Uplink/blue: is defined twice: in a.yaml at line 1 and in b.yaml at line 3; remove it from one of them',
    ]);
    save(join(agent.folder, 'a.yaml'), manifest('red'));
    await agent.sees('blue=br-new', 'red=br-red', 'tea=br-tea');
    expect(agent.warnings).to.deep.equal([]);
    expect(agent.history).to.have.length(2);
  });

  it('that is pasted into a file with a lower name is also read from the first file until it is cut', async () => {
    const agent = newAgent({ 'a.yaml': manifest('tea'), 'b.yaml': manifest('blue') });
    await agent.read();
    save(join(agent.folder, 'a.yaml'), manifests(manifest('tea'), manifest('blue', 'br-new')));
    await agent.until('there is a warning', () => agent.warnings.length === 1);
    expect(agent.warnings[0]).to.match(
      /^a\.yaml: Uplink\/blue: is defined twice: in b\.yaml and in a\.yaml at line 3;/,
    );
    expect(agent.uplinks).to.deep.equal(['blue=br-blue', 'tea=br-tea']);
    rmSync(join(agent.folder, 'b.yaml'));
    await agent.sees('blue=br-new', 'tea=br-tea');
  });

  it('that is cut and soon pasted is not deleted', async () => {
    const agent = newAgent({ 'a.yaml': manifests(manifest('blue'), manifest('red')), 'b.yaml': manifest('tea') });
    await agent.read();
    save(join(agent.folder, 'a.yaml'), manifest('red'));
    await agent.until('the cut is read', () => agent.readings.length > 1);
    save(join(agent.folder, 'b.yaml'), manifests(manifest('tea'), manifest('blue', 'br-new')));
    await agent.sees('blue=br-new', 'red=br-red', 'tea=br-tea');
    expect(agent.history).to.have.length(2);
  });

  it('that is only cut is deleted', async () => {
    const agent = newAgent({ 'a.yaml': manifests(manifest('blue'), manifest('red')) });
    await agent.read();
    save(join(agent.folder, 'a.yaml'), manifest('red'));
    await agent.sees('red=br-red');
  });

  it('that is moved out of a file that becomes invalid is read from the new file', async () => {
    const agent = newAgent({ 'a.yaml': manifests(manifest('blue'), manifest('red')), 'b.yaml': manifest('tea') });
    await agent.read();
    save(join(agent.folder, 'b.yaml'), manifests(manifest('tea'), manifest('blue', 'br-new')));
    save(join(agent.folder, 'a.yaml'), 'kind: [');
    await agent.sees('blue=br-new', 'red=br-red', 'tea=br-tea');
    expect(agent.warnings.map((warning) => warning.split(':')[0])).to.deep.equal(['a.yaml']);
    rmSync(join(agent.folder, 'a.yaml'));
    await agent.sees('blue=br-new', 'tea=br-tea');
  });

  it('in two new files is read from the first by path', async () => {
    const agent = newAgent({ 'a.yaml': manifest('red') });
    await agent.read();
    save(join(agent.folder, 'c.yaml'), manifest('blue', 'br-c'));
    save(join(agent.folder, 'b.yaml'), manifest('blue', 'br-b'));
    await agent.until('both files are read', () => agent.warnings.length === 1);
    expect(agent.warnings[0]).to.match(/^c\.yaml: Uplink\/blue: is defined twice: in b\.yaml and in c\.yaml;/);
    expect(agent.uplinks).to.deep.equal(['blue=br-b', 'red=br-red']);
    rmSync(join(agent.folder, 'b.yaml'));
    await agent.sees('blue=br-c', 'red=br-red');
  });

  it('that is defined twice from the start is a problem', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue'), 'b.yaml': manifest('blue', 'br-b') });
    await agent.read();
    expect(agent.problems).to.deep.equal([
      'b.yaml: Uplink/blue: is defined twice: in a.yaml and in b.yaml; remove it from one of them',
    ]);
    rmSync(join(agent.folder, 'a.yaml'));
    await agent.sees('blue=br-b');
  });
});
