import { join } from 'node:path';
import { expect } from 'chai';
import { OvnNorthbound, USUAL_NORTHBOUND_TIMING } from '../../../../src/adapters/ovn/ovn-northbound.ts';
import { unixServer } from '../../../../src/adapters/ovsdb/server.ts';
import type { NorthboundOperation } from '../../../../src/ports/node/northbound.ts';
import { gatewayRouter, insertGatewayRouter } from '../../../contract/northbound-examples.ts';
import { FakeServer, type ReplyTo } from '../ovsdb/fake-server.ts';
import { temporaryFolders } from '../temporary-folders.ts';
import { emptyNorthbound } from './northbound-content.ts';

describe('a change of the Northbound database', () => {
  const newFolder = temporaryFolders();
  let server: FakeServer;
  let northbound: OvnNorthbound;
  beforeEach(async () => {
    const path = join(newFolder(), 'db.sock');
    server = await FakeServer.start(path, emptyNorthbound);
    northbound = new OvnNorthbound(unixServer(path, 'OVN'), { ...USUAL_NORTHBOUND_TIMING, confirmation: 100 });
  });
  afterEach(async () => {
    await northbound.close();
    await server.stop();
  });

  /** Has the server make each change, with a result of the request for its number. */
  function answering(numbered: unknown): ReplyTo {
    return (method, params) =>
      method === 'transact'
        ? { result: params.slice(1).map((_, index) => (index === params.length - 2 ? numbered : { count: 1 })) }
        : emptyNorthbound(method, params);
  }

  it('is made even if one before it threw an exception', async () => {
    const broken = {
      get verb(): never {
        throw new Error('a defect');
      },
    } as unknown as NorthboundOperation;
    expect(await northbound.apply(broken).catch(String)).to.equal('Error: a defect');
    const result = await northbound.apply(insertGatewayRouter(gatewayRouter('blue')));
    expect(result).to.have.property('error').that.includes('Logical_Switch cluster_udn_blue_join does not exist');
  });

  it('is confirmed once OVN has processed its number', async () => {
    server.setReplies(answering({ rows: [{ nb_cfg: 0 }] }));
    expect(await northbound.confirm()).to.deep.equal({ done: true });
  });

  for (const [what, numbered] of [
    ['no row', { rows: [] }],
    ['a row without it', { rows: [{}] }],
    ['a text', { rows: [{ nb_cfg: '0' }] }],
  ] as const) {
    it(`is not confirmed if the server returns ${what} in place of its number`, async () => {
      server.setReplies(answering(numbered));
      const expected = `${server.path}: has no number for the change in nb_cfg of NB_Global, so that it cannot be confirmed: start ovn-northd, or run ovn-nbctl init`;
      expect(await northbound.confirm()).to.deep.equal({ done: false, error: expected });
    });
  }
});
