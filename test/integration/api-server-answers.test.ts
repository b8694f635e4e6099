import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolders } from '../unit/adapters/temporary-folders.ts';
import { ovnUplinks } from './command.ts';

const newFolder = temporaryFolders();
const servers: Server[] = [];
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server that is no API server. @returns `127.0.0.1:PORT` */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const refuse: RequestListener = (_request, response) => {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'Unauthorized', code: 401 };
  response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(status));
};

/** A kubeconfig file with that server. */
function kubeconfigOf(server: string): string {
  const file = join(newFolder(), 'kubeconfig');
  const config = {
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'u', user: { token: 'abc' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** The errors of `plan` about a server, in lines. */
async function errorsOf(kubeconfig: string, ...words: readonly string[]): Promise<readonly string[]> {
  const { stderr, stdout, exitCode } = await ovnUplinks(['plan', '--kubeconfig', kubeconfig, ...words]);
  expect([stdout, exitCode]).to.deep.equal(['', 1]);
  return stderr.split('\n');
}

describe('a command with an API server', () => {
  it('says in one line that its credentials are refused, not for each kind', async () => {
    const place = await serve(refuse);
    expect(await errorsOf(kubeconfigOf(`http://${place}`))).to.deep.equal([
      `error: http://${place}: refuses the credentials: Unauthorized (HTTP 401); log in again, or choose another context or user`,
    ]);
  });

  it('is the one that kubectl would use, also of several files of which one is not there', async () => {
    const place = await serve(refuse);
    const { KUBECONFIG: before } = process.env;
    process.env['KUBECONFIG'] = [join(newFolder(), 'absent'), kubeconfigOf(`http://${place}`)].join(':');
    try {
      const { stderr } = await ovnUplinks(['plan']);
      expect(stderr).to.satisfy((line: string) => line.startsWith(`error: http://${place}: refuses the credentials: `));
    } finally {
      if (before === undefined) delete process.env['KUBECONFIG'];
      else process.env['KUBECONFIG'] = before;
    }
  });

  it('says that a port of the server has no TLS', async () => {
    const place = await serve(refuse);
    expect(await errorsOf(kubeconfigOf(`https://${place}`))).to.deep.equal([
      `error: https://${place}: cannot be reached: it answers without TLS: expected http in its URL, or another port`,
    ]);
  });

  it('says that there is no host of the name, in words', async () => {
    const [line, ...others] = await errorsOf(kubeconfigOf('https://no-such-host.invalid:6443'));
    expect(others).to.deep.equal([]);
    expect(line).to.match(
      /^error: https:\/\/no-such-host\.invalid:6443: cannot be reached: (there is no host|the name server does not answer for) no-such-host\.invalid \(E[A-Z_]+\)$/,
    );
  });

  it('says what a file is not that is no kubeconfig', async () => {
    const message = 'is no kubeconfig: expected contexts, clusters and users, as kubectl writes them';
    expect(await errorsOf('fixtures/cluster.yaml')).to.deep.equal([`error: fixtures/cluster.yaml: ${message}`]);
  });

  it('says after 2 s whom it waits for, and gives up after --request-timeout', async () => {
    const place = await serve(() => undefined);
    const before = performance.now();
    const kubeconfig = kubeconfigOf(`http://${place}`);
    expect(await errorsOf(kubeconfig, '--request-timeout', '3s')).to.deep.equal([
      `waiting for the API server of ${kubeconfig} …`,
      `error: http://${place}: cannot be reached: it does not answer in time`,
    ]);
    // Without the option a request of an agent may take half a minute.
    expect(performance.now() - before).to.be.below(20_000);
  });

  describe('that validates objects', () => {
    /** A file of objects, which are refused offline. */
    function fileWith(...objects: readonly (readonly [string, string, string])[]): string {
      const file = join(newFolder(), 'objects.yaml');
      const items = objects.map(([apiVersion, kind, name]) => ({ apiVersion, kind, metadata: { name } }));
      writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
      return file;
    }
    const uplinks = ['a', 'b'].map((name) => ['k8s.ovn.org/v1alpha1', 'Uplink', name] as const);

    /** The lines that `validate` prints where it checks nothing. */
    async function errorsOfCheck(kubeconfig: string, ...words: readonly string[]): Promise<readonly string[]> {
      // A namespace would be compared with stored networks.
      const file = fileWith(...uplinks, ['v1', 'Namespace', 'n']);
      const all = ['validate', file, '--server', '--kubeconfig', kubeconfig, ...words];
      const { stdout, stderr, exitCode } = await ovnUplinks(all);
      expect([stdout, exitCode], stderr).to.deep.equal(['', 1]);
      return stderr.split('\n');
    }

    it('ends at the first request that is not answered in time', async () => {
      let asked = 0;
      const place = await serve(() => (asked += 1));
      const kubeconfig = kubeconfigOf(`http://${place}`);
      expect(await errorsOfCheck(kubeconfig, '--request-timeout', '3s')).to.deep.equal([
        `waiting for the API server of ${kubeconfig} …`,
        `error: http://${place}: cannot be reached: it does not answer in time`,
      ]);
      expect(asked).to.equal(1);
    });

    it('ends where nothing listens, and where the credentials are refused, in the words of other commands', async () => {
      const nobody = kubeconfigOf('http://127.0.0.1:1');
      expect(await errorsOfCheck(nobody)).to.deep.equal(await errorsOf(nobody));
      const refused = kubeconfigOf(`http://${await serve(refuse)}`);
      expect(await errorsOfCheck(refused)).to.deep.equal(await errorsOf(refused));
    });

    it('says once that it waits, and goes on after an object that is refused', async () => {
      const place = await serve((_request, response) => {
        const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'no such kind', code: 404 };
        // Longer than one waits in silence.
        setTimeout(() => response.writeHead(404).end(JSON.stringify(status)), 2300);
      });
      const objects = fileWith(...uplinks);
      const kubeconfig = kubeconfigOf(`http://${place}`);
      const { stdout, stderr } = await ovnUplinks(['validate', objects, '--server', '--kubeconfig', kubeconfig]);
      expect(stderr).to.equal(`waiting for the API server of ${kubeconfig} …`);
      expect(stdout.split('\n')).to.deep.equal([
        `${objects}: Uplink/a: no such kind (HTTP 404)`,
        `${objects}: Uplink/b: no such kind (HTTP 404)`,
        '2 objects checked: 2 findings',
      ]);
    });
  });
});
