import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect } from 'chai';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { accessOfKubeconfig } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { temporaryFolders } from '../../unit/adapters/temporary-folders.ts';
import { TestApiServer } from './api-server.ts';

/** A proxy for HTTPS (RFC 9110, CONNECT), and how often it was used. */
async function startProxy(): Promise<{
  readonly server: Server;
  readonly url: string;
  readonly targets: readonly string[];
}> {
  const targets: string[] = [];
  const server = createServer();
  server.on('connect', ({ url = '' }, client, head) => {
    targets.push(url);
    const [host, port] = url.split(':');
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as { readonly port: number }).port}`, targets };
}

describe('the credentials of a kubeconfig file', () => {
  const newFolder = temporaryFolders();
  let cluster: TestApiServer;
  let token: string;
  before(async () => {
    cluster = await TestApiServer.start();
    token = (JSON.parse(readFileSync(cluster.kubeconfig, 'utf8')) as typeof config).users[0]!.user.token!;
  });
  after(() => cluster.stop());

  let folder: string;
  let opened: ApiServer | undefined;
  let config: {
    readonly clusters: readonly { readonly cluster: Record<string, string> }[];
    readonly users: { user: Record<string, unknown> & { readonly token?: string } }[];
  };
  beforeEach(() => {
    folder = newFolder();
    config = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8')) as typeof config;
    cpSync(join(dirname(cluster.kubeconfig), 'apiserver.crt'), join(folder, 'apiserver.crt'));
  });
  afterEach(() => opened?.close());

  /** An API server as the file says now. */
  async function open(): Promise<ApiServer> {
    const file = join(folder, 'config');
    writeFileSync(file, JSON.stringify(config));
    const access = await accessOfKubeconfig(file);
    if (!access.read) throw new Error(JSON.stringify(access.problems));
    opened = new ApiServer(access.value);
    return opened;
  }

  const answer = async (server: ApiServer) => {
    const result = await server.send({ method: 'GET', path: '/api/v1/namespaces/default' });
    return result.ok ? 'ok' : (result.failure.status ?? result.failure.message);
  };

  it('may be a token in a file, which is read again for each request', async () => {
    config.users[0]!.user = { tokenFile: 'token' };
    writeFileSync(join(folder, 'token'), 'expired\n');
    const server = await open();
    expect(await answer(server)).to.equal(401);
    writeFileSync(join(folder, 'token'), `${token}\n`);
    expect(await answer(server)).to.equal('ok');
  });

  it('may come from a plugin, which runs again if the API server refuses its credential', async () => {
    const plugin = join(folder, 'plugin');
    const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' };
    writeFileSync(join(folder, 'token'), 'expired');
    const script = `#!/bin/sh\necho run >> ${folder}/runs\nprintf '%s' '${JSON.stringify({ ...credential, status: {} })}' | sed "s/{}/{\\"token\\":\\"$(cat ${folder}/token)\\"}/"\n`;
    writeFileSync(plugin, script, { mode: 0o755 });
    config.users[0]!.user = { exec: { command: plugin, apiVersion: credential.apiVersion } };
    const server = await open();
    expect(await answer(server)).to.equal(401);
    writeFileSync(join(folder, 'token'), token);
    expect([await answer(server), await answer(server)]).to.deep.equal(['ok', 'ok']);
    // Twice for the first request, once for the second, which had its former credential refused; the third uses the same.
    expect(readFileSync(join(folder, 'runs'), 'utf8').trim().split('\n')).to.have.length.of.at.most(4);
  });

  it('are used through a proxy', async () => {
    const proxy = await startProxy();
    config.clusters[0]!.cluster['proxy-url'] = proxy.url;
    const server = await open();
    expect([await answer(server), proxy.targets]).to.deep.equal(['ok', [new URL(cluster.url).host]]);
    proxy.server.close();
  });

  it('do not work against another server, whose certificate is not of the CA', async () => {
    writeFileSync(join(folder, 'apiserver.crt'), rootCertificates[0]!);
    expect(await answer(await open())).to.match(/^https:\/\/127\.0\.0\.1:\d+ cannot be reached: .*certificate/);
  });
});
