import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { mock } from 'node:test';
import { expect } from 'chai';
import { HttpHealthChecks } from '../../../../src/adapters/http/health-check-servers.ts';
import type { HealthCheck } from '../../../../src/domain/services/health-checks.ts';

/** A port that no program uses. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '::');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const checkAt = (port: number, brief: Partial<HealthCheck> = {}): HealthCheck => ({
  key: 'blue/web',
  age: '',
  port,
  namespace: 'blue',
  name: 'web',
  localEndpoints: 2,
  isReached: true,
  ...brief,
});

/** The error of a connection attempt; `answers` where there is one. */
const outcomeAt = (port: number) =>
  fetch(`http://127.0.0.1:${String(port)}/`).then(
    () => 'answers',
    (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException).code,
  );

describe('the servers of health checks', () => {
  let servers: HttpHealthChecks;
  let port: number;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    servers = new HttpHealthChecks();
    port = await freePort();
  });
  afterEach(() => {
    servers.close();
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** A connection that is established. */
  async function connected(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  /** The answer in plain HTTP/1.1 to a text. */
  async function answerTo(text: string): Promise<string> {
    const socket = await connected();
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.write(text);
    await once(socket, 'close');
    return answer;
  }

  for (const { what, brief, status, document } of [
    { what: 'endpoints', brief: {}, status: 200, document: { localEndpoints: 2, serviceProxyHealthy: true } },
    {
      what: 'none',
      brief: { localEndpoints: 0 },
      status: 503,
      document: { localEndpoints: 0, serviceProxyHealthy: true },
    },
    {
      what: 'endpoints that nothing reaches from the wire',
      brief: { isReached: false },
      status: 503,
      document: { localEndpoints: 2, serviceProxyHealthy: false },
    },
  ])
    it(`answer with ${String(status)} where there are ${what}, as kube-proxy does`, async () => {
      expect(await servers.serve([checkAt(port, brief)])).to.deep.equal(new Map());
      const response = await fetch(`http://127.0.0.1:${String(port)}/`);
      expect(response.status).to.equal(status);
      const names = ['content-type', 'x-content-type-options', 'x-load-balancing-endpoint-weight', 'connection'];
      expect(names.map((name) => response.headers.get(name))).to.deep.equal([
        'application/json',
        'nosniff',
        String(document.localEndpoints),
        'close',
      ]);
      expect(await response.json()).to.deep.equal({ service: { namespace: 'blue', name: 'web' }, ...document });
    });

  it('write the text that kube-proxy writes', async () => {
    await servers.serve([checkAt(port)]);
    expect(await (await fetch(`http://127.0.0.1:${String(port)}/`)).text()).to.equal(
      '{\n\t"service": {\n\t\t"namespace": "blue",\n\t\t"name": "web"\n\t},\n\t"localEndpoints": 2,\n\t"serviceProxyHealthy": true\n}',
    );
  });

  it('answer in both families', async () => {
    await servers.serve([checkAt(port)]);
    for (const host of ['127.0.0.1', '[::1]'])
      expect((await fetch(`http://${host}:${String(port)}/`)).status, host).to.equal(200);
  });

  it('answer in IPv4 alone where the kernel has no IPv6', async () => {
    servers = new HttpHealthChecks(['2001:db8::1', '127.0.0.1']);
    expect(await servers.serve([checkAt(port)])).to.deep.equal(new Map());
    expect(await outcomeAt(port)).to.equal('answers');
  });

  for (const [path, method] of [
    ['/healthz', 'GET'],
    ['/any?thing', 'GET'],
    ['/', 'POST'],
    ['/', 'HEAD'],
    ['/', 'DELETE'],
  ] as const)
    it(`answer ${method} ${path} like any other request, as kube-proxy does`, async () => {
      await servers.serve([checkAt(port)]);
      const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, { method });
      expect(response.status).to.equal(200);
      expect((await response.text()).length > 0).to.equal(method !== 'HEAD');
    });

  for (const { what, text, status } of [
    { what: 'no HTTP', text: '\u0000\u0001\r\n\r\n', status: 400 },
    { what: 'too long a header', text: `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(10_000)}\r\n\r\n`, status: 431 },
    { what: 'another protocol', text: 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', status: undefined },
    {
      what: 'two at once, of which the second is left',
      text: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2),
      status: 200,
    },
    { what: 'a body that never ends', text: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n', status: 200 },
  ])
    it(`end a connection after a request that is ${what}`, async () => {
      await servers.serve([checkAt(port)]);
      const found = (await answerTo(text)).match(/HTTP\/1\.1 (\d+)/g) ?? [];
      expect(found).to.deep.equal(status === undefined ? [] : [`HTTP/1.1 ${String(status)}`]);
      expect(await outcomeAt(port)).to.equal('answers');
    });

  it('follow what changes, without a moment in which the port is closed', async () => {
    await servers.serve([checkAt(port)]);
    const open = await connected();
    await servers.serve([checkAt(port, { localEndpoints: 0, name: 'api' })]);
    let text = '';
    open.setEncoding('utf8').on('data', (part: string) => (text += part));
    open.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(open, 'close');
    expect(text).to.include('HTTP/1.1 503').and.to.include('"name": "api"');
  });

  it('stop where a health check goes, and go on at other ports', async () => {
    const other = await freePort();
    await servers.serve([checkAt(port), checkAt(other)]);
    await servers.serve([checkAt(other)]);
    expect([await outcomeAt(port), await outcomeAt(other)]).to.deep.equal(['ECONNREFUSED', 'answers']);
    await servers.serve([checkAt(port)]);
    expect([await outcomeAt(port), await outcomeAt(other)]).to.deep.equal(['answers', 'ECONNREFUSED']);
  });

  it('close with all connections', async () => {
    await servers.serve([checkAt(port)]);
    const open = await connected();
    const closed = once(open.resume(), 'close');
    servers.close();
    await closed;
    expect(await outcomeAt(port)).to.equal('ECONNREFUSED');
  });

  it('close also one that begins to listen at that moment', async () => {
    const serving = servers.serve([checkAt(port)]);
    servers.close();
    await serving;
    expect(await outcomeAt(port)).to.equal('ECONNREFUSED');
  });

  describe('beside another program that uses a port', () => {
    for (const host of ['::', '127.0.0.1', '::1'])
      it(`say so where it listens at ${host}, serve the others, and take the port once it is free`, async () => {
        const program = createServer().listen(port, host);
        await once(program, 'listening');
        const other = await freePort();
        const checks = [checkAt(port), checkAt(other)];
        expect([...(await servers.serve(checks))]).to.deep.equal([
          [port, 'another program uses the port: stop it (ss -ltnp shows it), or give the Service another port'],
        ]);
        expect(await outcomeAt(other)).to.equal('answers');
        program.close();
        await once(program, 'close');
        expect(await servers.serve(checks)).to.deep.equal(new Map());
        expect(await outcomeAt(port)).to.equal('answers');
      });
  });

  it('say why they cannot listen elsewhere', async () => {
    servers = new HttpHealthChecks(['192.0.2.1']);
    expect((await servers.serve([checkAt(port)])).get(port)).to.match(/^listen EADDRNOTAVAIL/);
  });

  it('make room for a new connection where there are too many', async () => {
    await servers.serve([checkAt(port)]);
    const first = await connected();
    const closed = once(first.resume(), 'close');
    for (let count = 1; count < 256; count += 1) await connected();
    expect(first.destroyed).to.equal(false);
    expect(await outcomeAt(port)).to.equal('answers');
    await closed;
  });

  describe('with clients that take long', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());

    for (const { what, text } of [
      { what: 'says nothing', text: '' },
      { what: 'has begun a request', text: 'GET / HTTP/1.1\r\nHost: ' },
    ])
      it(`end the connection of one that ${what}, after five seconds`, async () => {
        await servers.serve([checkAt(port)]);
        const socket = await connected();
        if (text !== '') socket.write(text);
        // The answer to another client comes after the connection was accepted.
        await answerTo('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
        mock.timers.tick(4999);
        await answerTo('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
        expect(socket.destroyed).to.equal(false);
        const closed = once(socket.resume(), 'close');
        mock.timers.tick(1);
        await closed;
      });
  });
});
