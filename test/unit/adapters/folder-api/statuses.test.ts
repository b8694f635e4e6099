import { conditionsWrite, stateDeletion, stateWrite } from '../../../../src/domain/objects/writes.ts';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { FolderApi } from '../../../../src/adapters/folder-api/folder-api.ts';
import { refusalOf, stateOf } from '../../../contract/resource-store.ts';
import { asNobody } from '../manifests/as-nobody.ts';
import { uplink, uplinkState } from '../manifests/example-objects.ts';
import { eventually } from '../processes.ts';
import { type Agent, agents, manifest } from './agent.ts';
import { onSmallFileSystem } from '../small-file-system.ts';

const ofBlue: Parameters<typeof conditionsWrite>[0] = {
  kind: 'Uplink',
  name: 'blue',
  finalizers: ['k8s.ovn.org/uplink-protection'],
  conditions: [
    {
      type: 'Degraded',
      status: 'False',
      reason: 'AllReady',
      message: 'on',
      lastTransitionTime: '2026-11-20T08:00:00Z',
    },
  ],
};

describe('the stored status', () => {
  const newAgent = agents();

  function statusPath(agent: Agent, ...names: readonly string[]): string {
    return join(agent.folder, 'status', ...names);
  }

  /** Writes a file in the folder, as another program. */
  function writeFile(agent: Agent, kind: string, name: string, text: string): string {
    mkdirSync(statusPath(agent, kind), { recursive: true });
    writeFileSync(statusPath(agent, kind, name), text);
    return statusPath(agent, kind, name);
  }

  it('is YAML with sorted keys, and quotes where needed', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    await agent.read();
    await agent.store.write(conditionsWrite(ofBlue));
    await agent.store.write(stateWrite(stateOf('blue.worker-a')));
    expect(readFileSync(statusPath(agent, 'Uplink', 'blue.yaml'), 'utf8')).to.equal(`apiVersion: k8s.ovn.org/v1alpha1
kind: Uplink
metadata:
  finalizers:
    - k8s.ovn.org/uplink-protection
  name: blue
status:
  conditions:
    - lastTransitionTime: "2026-11-20T08:00:00Z"
      message: "on"
      reason: AllReady
      status: "False"
      type: Degraded
`);
    expect(readFileSync(statusPath(agent, 'UplinkState', 'blue.worker-a.yaml'), 'utf8')).to
      .equal(`apiVersion: k8s.ovn.org/v1alpha1
kind: UplinkState
metadata:
  name: blue.worker-a
status:
  conditions:
    - reason: Ready
      status: "True"
      type: Ready
  hostInterfaceName: br-blue
  ipAddresses:
    - 192.0.2.6/24
  macAddress: 02:42:c0:00:02:06
  nodeName: worker-a
  ovsBridge:
    name: br-blue
  type: OVSBridge
  uplinkName: blue
`);
  });

  for (const text of [
    '0o17',
    '012',
    'on',
    'y',
    '~',
    '',
    '1e3',
    '.nan',
    '<<',
    '# a',
    'a: b',
    '- a',
    '*a',
    'a\nb',
    ' a ',
    "'",
    '"',
    '\u0000',
    '\u007f',
    '\u0085',
    '\ufeff',
    '\ufffe',
    '\u2028',
    '😀',
    '🀀'.repeat(200),
  ]) {
    it(`is read as written: ${JSON.stringify(text).slice(0, 20)}`, async () => {
      const agent = newAgent({ 'a.yaml': manifest('blue') });
      const state = uplinkState('s', { networks: [{ name: 'x', ready: 'True', reason: 'Ready', message: text }] });
      expect(await agent.store.write(stateWrite(state as never))).to.deep.equal({ done: true });
      await agent.read();
      expect(agent.value.snapshot.uplinkStates).to.deep.equal([state]);
    });
  }

  it('is not written again if unchanged', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    await agent.read();
    const file = statusPath(agent, 'Uplink', 'blue.yaml');
    await agent.store.write(conditionsWrite(ofBlue));
    const { ino } = statSync(file);
    await agent.store.write(conditionsWrite(ofBlue));
    expect(statSync(file).ino).to.equal(ino);
  });

  it('is not reported as changed after own writes', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    await agent.read();
    for (let round = 1; round <= 3; round += 1) {
      await agent.store.write(stateWrite(stateOf('blue.worker-a', `02:00:00:00:00:0${round}`)));
      await agent.store.write(
        conditionsWrite({ ...ofBlue, conditions: [{ ...ofBlue.conditions[0]!, message: String(round) }] }),
      );
      await agent.store.write(stateDeletion('blue.worker-a'));
    }
    // A state of another agent is reported after all earlier changes.
    const other = `${agent.folder}.other`;
    writeFileSync(other, JSON.stringify(stateOf('blue.worker-b')));
    renameSync(other, statusPath(agent, 'UplinkState', 'blue.worker-b.yaml'));
    await agent.until('the other state is read', () => agent.value.snapshot.uplinkStates.length === 1);
    expect(agent.notifications).to.equal(1);
  });

  it('of other agents is read', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    await agent.read();
    writeFile(agent, 'UplinkState', 'a.yaml', JSON.stringify(stateOf('a')));
    await agent.until('the first state is read', () => agent.value.snapshot.uplinkStates.length === 1);
    writeFile(agent, 'UplinkState', 'b.yaml', JSON.stringify(stateOf('b')));
    await agent.until('the second state is read', () => agent.value.snapshot.uplinkStates.length === 2);
    rmSync(statusPath(agent), { recursive: true });
    await agent.until('no state is read', () => agent.value.snapshot.uplinkStates.length === 0);
    writeFile(agent, 'UplinkState', 'b.yaml', JSON.stringify(stateOf('b')));
    await agent.until('a state is read again', () => agent.value.snapshot.uplinkStates.length === 1);
  });

  it('is not read as a manifest, and a state among the manifests is ignored', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue'), 'b.yaml': JSON.stringify(uplinkState('blue.worker-a')) });
    writeFile(agent, 'Uplink', 'red.yaml', manifest('red'));
    mkdirSync(statusPath(agent, 'Other'));
    writeFileSync(statusPath(agent, 'Other', 'tea.yaml'), manifest('tea'));
    await agent.read();
    expect(agent.uplinks).to.deep.equal(['blue=br-blue']);
    expect(agent.value.snapshot.uplinkStates).to.deep.equal([]);
    expect(agent.warnings).to.deep.equal([
      'b.yaml: UplinkState/blue.worker-a: is not used: agents write UplinkStates themselves, below status',
    ]);
  });

  it('takes precedence over a status in a manifest', async () => {
    const exported = {
      ...uplink('blue'),
      status: { conditions: [{ ...ofBlue.conditions[0], message: 'of another cluster' }] },
    };
    const agent = newAgent({ 'a.yaml': JSON.stringify(exported) });
    await agent.read();
    expect(agent.value.snapshot.uplinks).to.deep.equal([uplink('blue')]);
    await agent.store.write(conditionsWrite(ofBlue));
    await agent.read();
    expect(agent.value.snapshot.uplinks[0]!.status).to.deep.equal({ conditions: ofBlue.conditions });
  });

  it('decides whether an object has our finalizer, whatever its manifest contains', async () => {
    const metadata = { name: 'blue', finalizers: ['k8s.ovn.org/uplink-protection', 'example.org/mine'] };
    const agent = newAgent({ 'a.yaml': JSON.stringify({ ...uplink('blue'), metadata }) });
    await agent.read();
    expect(agent.value.snapshot.uplinks[0]!.metadata.finalizers).to.deep.equal(['example.org/mine']);
    await agent.store.write(conditionsWrite(ofBlue));
    await agent.read();
    expect(agent.value.snapshot.uplinks[0]!.metadata.finalizers).to.deep.equal([
      'example.org/mine',
      'k8s.ovn.org/uplink-protection',
    ]);
  });

  describe('is ignored with a warning, and overwritten', () => {
    const rows: readonly (readonly [what: string, kind: string, text: string, warning: string])[] = [
      ['it is truncated', 'Uplink', 'kind: [', 'line 1, column 8: '],
      ['it is empty', 'Uplink', '', 'expected one document, found 0'],
      [
        'it is of another kind',
        'Uplink',
        manifest('blue').replace('Uplink', 'Node'),
        'expected kind Uplink, found Node',
      ],
      ['it is of another object', 'Uplink', manifest('red'), 'is not the file of Uplink/red: red.yaml'],
      ['a state is truncated', 'UplinkState', 'kind: [', 'line 1, column 8: '],
      ['a state is empty', 'UplinkState', '', 'expected one UplinkState'],
      [
        'a state is invalid',
        'UplinkState',
        JSON.stringify(uplinkState('s', { conditions: 5 })),
        'status.conditions: expected a list, found number 5',
      ],
      [
        'a state is of another name',
        'UplinkState',
        JSON.stringify(uplinkState('t')),
        'is not the file of UplinkState/t: t.yaml',
      ],
    ];
    for (const [what, kind, text, warning] of rows) {
      it(`if ${what}`, async () => {
        const file = kind === 'Uplink' ? 'blue.yaml' : 's.yaml';
        const agent = newAgent({ 'a.yaml': manifest('blue') });
        writeFile(agent, kind, file, text);
        await agent.read();
        const expected = `status/${kind}/${file}: ${warning}`;
        expect(agent.warnings).to.have.length(1);
        expect(agent.warnings[0]!.slice(0, expected.length)).to.equal(expected);
        expect(agent.warnings[0]).to.match(/; it is ignored and will be overwritten$/);
        expect(agent.value.snapshot.uplinkStates).to.deep.equal([]);
        expect(agent.value.snapshot.uplinks).to.deep.equal([uplink('blue')]);
        const outcome = await (kind === 'Uplink'
          ? agent.store.write(conditionsWrite(ofBlue))
          : agent.store.write(stateWrite(stateOf('s'))));
        expect(outcome).to.deep.equal({ done: true });
        await agent.read();
        expect(agent.warnings).to.deep.equal([]);
      });
    }
  });

  it('is kept if its object is created while the folder is read', async () => {
    const agent = newAgent({ 'a.yaml': manifest('red') });
    await agent.read();
    const { conditions } = ofBlue;
    const status = JSON.stringify({
      ...{ apiVersion: 'k8s.ovn.org/v1alpha1', kind: 'Uplink', metadata: { name: 'blue' }, status: { conditions } },
    });
    const statusFolder = agent.store['status'];
    const read = statusFolder.read.bind(statusFolder);
    statusFolder.read = () => {
      statusFolder.read = read;
      writeFileSync(join(agent.folder, 'b.yaml'), manifest('blue'));
      writeFile(agent, 'Uplink', 'blue.yaml', status);
      return read();
    };
    await agent.read();
    expect(existsSync(statusPath(agent, 'Uplink', 'blue.yaml'))).to.equal(true);
  });

  it('of a deleted object is removed, unless an invalid file may contain the object', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue'), 'b.yaml': manifest('red') });
    await agent.read();
    await agent.store.write(conditionsWrite(ofBlue));
    writeFileSync(join(agent.folder, 'c.yaml'), 'kind: [');
    await agent.until('there is a warning', () => agent.warnings.length === 1);
    rmSync(join(agent.folder, 'a.yaml'));
    await agent.sees('red=br-red');
    expect(existsSync(statusPath(agent, 'Uplink', 'blue.yaml'))).to.equal(true);
    rmSync(join(agent.folder, 'c.yaml'));
    await eventually('the status is deleted', () => !existsSync(statusPath(agent, 'Uplink', 'blue.yaml')));
  });

  it('in a temporary file is removed at the next start if the file is old', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    const oldFile = writeFile(agent, 'UplinkState', '.00000000-0000-4000-8000-000000000000.tmp', 'kind');
    const newFile = writeFile(agent, 'UplinkState', '.00000000-0000-4000-8000-000000000001.tmp', 'kind');
    utimesSync(oldFile, 1_000_000, 1_000_000);
    await agent.read();
    expect([existsSync(oldFile), existsSync(newFile)]).to.deep.equal([false, true]);
    expect(agent.warnings).to.deep.equal([]);
  });

  describe('is not written, with a reason in one line and no leftovers,', () => {
    it('if a file is in the way', async () => {
      const agent = newAgent({ 'a.yaml': manifest('blue') });
      writeFileSync(statusPath(agent), '');
      expect(await agent.store.write(stateWrite(stateOf('s')))).to.deep.equal({
        done: false,
        error: `${statusPath(agent, 'UplinkState', 's.yaml')} cannot be written: one of its folders is a file`,
      });
    });

    it('if the folder is missing, which is not created', async () => {
      const agent = newAgent({});
      rmSync(agent.folder, { recursive: true });
      const outcome = await agent.store.write(stateWrite(stateOf('s')));
      expect(refusalOf(outcome)).to.match(/cannot be written: the folder that it belongs to does not exist$/);
      expect(existsSync(agent.folder)).to.equal(false);
    });

    it('without permission', async () => {
      const agent = newAgent({ 'a.yaml': manifest('blue') });
      chmodSync(dirname(agent.folder), 0o755);
      const outcome = await asNobody(() => agent.store.write(stateWrite(stateOf('s'))));
      expect(refusalOf(outcome)).to.match(/s\.yaml cannot be written: permission denied$/);
    });

    it('if a folder has the name of the file', async () => {
      const agent = newAgent({ 'a.yaml': manifest('blue') });
      mkdirSync(statusPath(agent, 'UplinkState', 's.yaml'), { recursive: true });
      for (const outcome of [
        await agent.store.write(stateWrite(stateOf('s'))),
        await agent.store.write(stateDeletion('s')),
      ])
        expect(refusalOf(outcome)).to.match(/^[^\n]+s\.yaml cannot be (?:written|removed): [^\n]+$/);
      expect(readdirSync(statusPath(agent, 'UplinkState'))).to.deep.equal(['s.yaml']);
    });

    it('if no space is left', async () => {
      const agent = newAgent({ 'a.yaml': manifest('blue') });
      mkdirSync(statusPath(agent));
      await onSmallFileSystem(statusPath(agent), async () => {
        const state = uplinkState('s', {
          networks: [{ name: 'x', ready: 'True', reason: 'R', message: 'x'.repeat(90_000) }],
        });
        expect(await agent.store.write(stateWrite(state as never))).to.deep.equal({
          done: false,
          error: `${statusPath(agent, 'UplinkState', 's.yaml')} cannot be written: no space is left on its file system`,
        });
        expect(readdirSync(statusPath(agent, 'UplinkState'))).to.deep.equal([]);
        expect(await agent.store.write(stateWrite(stateOf('s')))).to.deep.equal({ done: true });
        await agent.store.close();
      });
    });
  });

  it('may be written by several agents at once', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    const stores = Array.from({ length: 5 }, () => new FolderApi(agent.folder));
    await agent.read();
    const outcomes = await Promise.all(
      stores.flatMap((store, index) =>
        Array.from({ length: 5 }, (_, round) =>
          store.write(stateWrite(stateOf(`blue.worker-${index}`, `02:00:00:00:00:0${round}`))),
        ),
      ),
    );
    expect(outcomes.filter(({ done }) => !done)).to.deep.equal([]);
    await agent.until(
      'all states are read',
      () =>
        agent.value.snapshot.uplinkStates.filter(({ status }) => status?.macAddress === '02:00:00:00:00:04').length ===
        5,
    );
    expect(agent.warnings).to.deep.equal([]);
    for (const store of stores) await store.close();
  });
});
