import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { type Served, serveOperations } from '../../../../src/adapters/http/operations-server.ts';

describe('the probes and metrics of an agent', () => {
  const served: Served = {
    healthz: () => ({ ok: true, text: 'ok' }),
    readyz: () => ({ ok: false, text: 'nothing is done yet' }),
    metrics: () => Promise.resolve({ contentType: 'text/plain; version=0.0.4', text: 'plans 1\n' }),
  };

  async function answers(path: string, init: RequestInit = {}, what: Served = served) {
    const { address, close } = await serveOperations({ host: '127.0.0.1', port: 0 }, what);
    try {
      const response = await fetch(`http://127.0.0.1:${address.port}${path}`, init);
      return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
    } finally {
      close();
    }
  }

  for (const [path, init, status, text] of [
    ['/healthz', {}, 200, 'ok\n'],
    ['/healthz?verbose', {}, 200, 'ok\n'],
    ['/readyz', {}, 503, 'nothing is done yet\n'],
    ['/metrics', {}, 200, 'plans 1\n'],
    ['/', {}, 404, 'there are /healthz, /readyz and /metrics\n'],
    ['/healthz', { method: 'HEAD' }, 200, ''],
    ['/healthz', { method: 'POST' }, 405, 'only GET is supported\n'],
  ] as const) {
    it(`answers ${'method' in init ? init.method : 'GET'} ${path} with ${status}`, async () => {
      expect(await answers(path, init)).to.deep.include({ status, text });
    });
  }

  it('answers on addresses of both families if none is given', async () => {
    const { address, close } = await serveOperations({ port: 0 }, served);
    try {
      for (const host of ['127.0.0.1', '[::1]']) {
        expect((await fetch(`http://${host}:${address.port}/healthz`)).status, host).to.equal(200);
      }
    } finally {
      close();
    }
  });

  it('declares the format of metrics', async () => {
    expect((await answers('/metrics')).type).to.equal('text/plain; version=0.0.4');
  });

  it('reports why there are no metrics', async () => {
    const broken = { ...served, metrics: () => Promise.reject(new Error('no memory')) };
    expect(await answers('/metrics', {}, broken)).to.deep.include({ status: 500, text: 'Error: no memory\n' });
  });

  it('rejects if the address is in use', async () => {
    const { address, close } = await serveOperations({ host: '127.0.0.1', port: 0 }, served);
    const [second] = await Promise.allSettled([serveOperations({ host: '127.0.0.1', port: address.port }, served)]);
    close();
    expect(second.status).to.equal('rejected');
  });

  for (const [what, sent] of [
    ['sends nothing', ''],
    ['never finishes its request', 'GET /healthz HTTP/1.1\r\nHost: '],
  ] as const) {
    it(`disconnects a client that ${what} when it is closed`, async () => {
      const { address, close } = await serveOperations({ host: '127.0.0.1', port: 0 }, served);
      const client = connect({ host: '127.0.0.1', port: address.port, allowHalfOpen: true });
      await once(client, 'connect');
      client.write(sent);
      // It has been accepted by the time that a later one is answered.
      await fetch(`http://127.0.0.1:${address.port}/healthz`);
      const ended = once(client.resume(), 'end');
      close();
      await ended;
      client.destroy();
    });
  }
});
