import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { accessInCluster, accessOfKubeconfig } from '../../../../src/adapters/kubernetes/cluster-access.ts';
import { describeProblem, type Reading } from '../../../../src/ports/input-problem.ts';
import { temporaryFolders } from '../temporary-folders.ts';

const kubeconfig = {
  clusters: [
    { name: 'one', cluster: { server: 'https://192.0.2.1:6443/', 'certificate-authority': 'ca.crt' } },
    { name: 'two', cluster: { server: 'https://192.0.2.2:6443', 'insecure-skip-tls-verify': true } },
  ],
  users: [
    { name: 'operator', user: { 'client-certificate': 'tls/user.crt', 'client-key': '/keys/user.key' } },
    { name: 'agent', user: { tokenFile: 'token' } },
  ],
  contexts: [
    { name: 'first', context: { cluster: 'one', user: 'operator', namespace: 'tools' } },
    { name: 'second', context: { cluster: 'two', user: 'agent' } },
    { name: 'without cluster', context: { cluster: 'three', user: 'agent' } },
    { name: 'without user', context: { cluster: 'one', user: 'nobody' } },
  ],
  'current-context': 'first',
};

const problems = (reading: Reading<unknown>) => (reading.read ? [] : reading.problems.map(describeProblem));

describe('the API server of a kubeconfig file', () => {
  const newFolder = temporaryFolders();

  async function access(config: unknown, context?: string) {
    const folder = newFolder();
    const file = join(folder, 'config');
    writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config));
    const reading = await accessOfKubeconfig(file, context);
    return { folder, reading, problems: problems(reading).map((line) => line.replace(file, 'FILE')) };
  }

  it('is that of the current context, with paths relative to the file', async () => {
    const { folder, reading } = await access(kubeconfig);
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    const { cluster, user, namespace } = reading.value;
    expect([cluster.server, cluster.caFile, namespace]).to.deep.equal([
      'https://192.0.2.1:6443',
      join(folder, 'ca.crt'),
      'tools',
    ]);
    expect([user.certFile, user.keyFile]).to.deep.equal([join(folder, 'tls/user.crt'), '/keys/user.key']);
  });

  it('is that of a given context, with a file for the token', async () => {
    const { folder, reading } = await access(kubeconfig, 'second');
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    expect([reading.value.cluster.server, reading.value.tokenFile]).to.deep.equal([
      'https://192.0.2.2:6443',
      join(folder, 'token'),
    ]);
  });

  it('is that of several files, which count as one: the first entry of a name, and the first current context', async () => {
    const files = [
      { users: [{ name: 'agent', user: { tokenFile: 'first-token' } }], 'current-context': '' },
      { ...kubeconfig, 'current-context': 'second' },
      { clusters: [{ name: 'two', cluster: { server: 'https://192.0.2.9' } }], 'current-context': 'first' },
    ].map((config) => {
      const file = join(newFolder(), 'config');
      writeFileSync(file, JSON.stringify(config));
      return file;
    });
    const reading = await accessOfKubeconfig(files);
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    expect([reading.value.cluster.server, reading.value.tokenFile]).to.deep.equal([
      'https://192.0.2.2:6443',
      join(dirname(files[0]!), 'first-token'),
    ]);
    expect(problems(await accessOfKubeconfig(files, 'third'))[0]).to.satisfy((line: string) =>
      line.startsWith(`${files.join(':')}: has no context "third", only `),
    );
  });

  const bad: readonly (readonly [string, unknown, string | undefined, string | RegExp])[] = [
    [
      'no context',
      { ...kubeconfig, 'current-context': '' },
      undefined,
      /^FILE: current-context: has no current context: name one of "first", "second"/,
    ],
    [
      'an unknown context',
      kubeconfig,
      'third',
      'FILE: has no context "third", only "first", "second", "without cluster", "without user"',
    ],
    [
      'an unknown cluster',
      kubeconfig,
      'without cluster',
      'FILE: context "without cluster" is of cluster "three", which is not one of "one", "two"',
    ],
    [
      'an unknown user',
      kubeconfig,
      'without user',
      'FILE: context "without user" is of user "nobody", who is not one of "operator", "agent"',
    ],
    [
      'a cluster without server',
      { ...kubeconfig, clusters: [{ name: 'one', cluster: {} }] },
      undefined,
      'FILE: clusters[0].cluster.server is missing',
    ],
    ['something other than a kubeconfig', 'text', undefined, 'FILE: expected one kubeconfig, as kubectl writes it'],
    ['an empty file', '', undefined, 'FILE: expected one kubeconfig, as kubectl writes it'],
    ['two documents', 'a: 1\n---\nb: 2\n', undefined, 'FILE: expected one kubeconfig, as kubectl writes it'],
  ];
  for (const [what, config, context, message] of bad) {
    it(`is unknown with ${what}`, async () => {
      const [problem] = (await access(config, context)).problems;
      if (typeof message === 'string') expect(problem).to.equal(message);
      else expect(problem).to.match(message);
    });
  }

  it('is unknown without the file', async () => {
    expect(problems(await accessOfKubeconfig('/nowhere/config'))).to.deep.equal(['/nowhere/config: does not exist']);
  });
});

describe('the API server of a pod', () => {
  const newFolder = temporaryFolders();

  it('is that of the variables of the kubelet, with the token and the namespace of the service account', async () => {
    const folder = newFolder();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'namespace'), 'ovn-uplinks\n');
    const servers = await Promise.all(
      ['10.96.0.1', 'fd00:10:96::1'].map((host) =>
        accessInCluster({ KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: '443' }, folder),
      ),
    );
    expect(servers.map((reading) => reading.read && reading.value.cluster.server)).to.deep.equal([
      'https://10.96.0.1:443',
      'https://[fd00:10:96::1]:443',
    ]);
    const [first] = servers;
    expect(first?.read && [first.value.tokenFile, first.value.namespace, first.value.cluster.caFile]).to.deep.equal([
      join(folder, 'token'),
      'ovn-uplinks',
      join(folder, 'ca.crt'),
    ]);
  });

  it('is unknown outside of pods', async () => {
    expect(problems(await accessInCluster({}))[0]).to.match(/not running in a pod: .*--kubeconfig$/);
  });
});
