import { expect } from 'chai';
import { gatewayRouterNames } from '../../../../../src/domain/network/names/gateway-router.ts';
import { gatewayRouterRows } from '../../../../../src/domain/dataplane/gateway-router/gateway-router-rows.ts';
import {
  awaitedNumber,
  isRepeated,
  type UnconfirmedChanges,
  unconfirmedAfter,
  unconfirmedAmong,
} from '../../../../../src/domain/entities/operations/unconfirmed-rows.ts';
import {
  changeRows,
  deleteGatewayRouter,
  gatewayRouter,
  insertGatewayRouter,
  openRouterPort,
} from '../../../../contract/northbound-examples.ts';

const blue = gatewayRouter('blue');
const rows = gatewayRouterRows(blue);
const [first, second] = rows;
const { externalRouterPort } = gatewayRouterNames(blue.networkName, blue.node, blue.bridge);
const opened = openRouterPort('add', blue);
const none: UnconfirmedChanges = new Map();

describe('changes that OVN has not confirmed', () => {
  it('are those of the rows of an operation, with the number that confirms them', () => {
    const after = unconfirmedAfter(changeRows('add', rows), false, none, 7);
    expect(after.size).to.equal(rows.length);
    expect(new Set(after.values())).to.deep.equal(new Set([7]));
    expect([...unconfirmedAfter(opened, false, none, 8)]).to.deep.equal([
      [`open Logical_Router_Port ${externalRouterPort}`, 8],
    ]);
  });

  it('are confirmed with their operation, or go with their rows', () => {
    const inserted = unconfirmedAfter(insertGatewayRouter(blue), false, unconfirmedAfter(opened, false, none));
    expect(unconfirmedAfter(insertGatewayRouter(blue), true, inserted).size).to.equal(1);
    expect(unconfirmedAfter(deleteGatewayRouter(blue), false, inserted).size).to.equal(1);
    const closed = unconfirmedAfter(openRouterPort('remove', blue), false, inserted);
    expect(unconfirmedAfter(deleteGatewayRouter(blue), false, closed).size).to.equal(0);
    expect(unconfirmedAmong([], inserted).size).to.equal(0);
    expect(unconfirmedAmong(rows, inserted)).to.deep.equal(inserted);
  });

  it('are made again by an operation of nothing else', () => {
    const after = unconfirmedAfter(changeRows('add', [first!]), false, none, 7);
    expect(isRepeated(changeRows('add', [first!]), after)).to.equal(true);
    expect(isRepeated(changeRows('add', [first!, second!]), after)).to.equal(false);
    expect(isRepeated(changeRows('remove', [first!]), after)).to.equal(false);
  });

  it('are confirmed by the highest number of all, if each has one', () => {
    const both = changeRows('add', [first!, second!]);
    const known = unconfirmedAfter(
      changeRows('add', [second!]),
      false,
      unconfirmedAfter(changeRows('add', [first!]), false, none, 7),
      9,
    );
    expect(awaitedNumber(both, known)).to.equal(9);
    const unknown = unconfirmedAfter(changeRows('add', [second!]), false, known);
    expect(awaitedNumber(both, unknown)).to.equal(undefined);
  });
});
