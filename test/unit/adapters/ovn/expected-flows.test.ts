import { expect } from 'chai';
import { expectedFlows, flowsOfChange, queriesOf } from '../../../../src/adapters/ovn/expected-flows.ts';
import { type Row, rowOf } from '../../../../src/adapters/ovsdb/row.ts';
import { gatewayRouterNames } from '../../../../src/domain/network/names/gateway-router.ts';
import { gatewayRouterRows } from '../../../../src/domain/dataplane/gateway-router/gateway-router-rows.ts';
import type { NorthboundRow } from '../../../../src/domain/datapath/northbound/row.ts';
import type { NorthboundOperation } from '../../../../src/ports/node/northbound.ts';
import {
  changeRows,
  deleteGatewayRouter,
  gatewayRouter,
  insertGatewayRouter,
  openRouterPort,
} from '../../../contract/northbound-examples.ts';

const blue = gatewayRouter('blue');
const network = blue.networkName;
const { externalRouterPort } = gatewayRouterNames(network, blue.node, blue.bridge);

/** The rows of the gateway router as they are read, each with a UUID. */
const known = gatewayRouterRows(blue).map((row, index): NorthboundRow => ({
  ...row,
  network,
  uuid: `0000000${index % 10}-x`,
}));
const knownRow = (name: string) => known.find((row) => row.name === name);
const firstRoute = known.find(({ table }) => table === 'Logical_Router_Static_Route')!;
const policies = known.filter(({ table }) => table === 'Logical_Router_Policy');

describe('the flows that are looked for after a change', () => {
  const cases: readonly (readonly [string, NorthboundOperation, ReturnType<typeof flowsOfChange>])[] = [
    ['of an opened port', openRouterPort('add', blue), { network, row: knownRow(externalRouterPort)! }],
    ['of added rows, those of a route', insertGatewayRouter(blue), { network, row: firstRoute }],
    ['of rows without a route, any of the network', changeRows('add', policies), { network }],
    ['of a closed port, none', openRouterPort('remove', blue), undefined],
    ['of removed rows, none', deleteGatewayRouter(blue), undefined],
  ];
  for (const [what, operation, expected] of cases) {
    it(`are, ${what}`, () => {
      expect(flowsOfChange(operation, known)).to.deep.equal(expected);
    });
  }
});

const found = (uuid: string, columns: Readonly<Record<string, unknown>>): Row =>
  rowOf('Port_Binding', uuid, columns, 'ovnsb_db.sock');
const port = (uuid: string, name: string, isBound = true): Row =>
  found(uuid, { logical_port: name, chassis: isBound ? ['uuid', 'chassis'] : ['set', []] });
const flow = (uuid: string, stage: string): Row => found(uuid, { external_ids: ['map', [['stage-name', stage]]] });

describe('the flows that must be on the integration bridge', () => {
  const [gatewayPort, managementPort] = [port('aaaaaaaa-1', 'rtoe-x'), port('bbbbbbbb-1', 'k8s-x')];
  const [routing, other] = [flow('cccccccc-1', 'lr_in_ip_routing_ecmp'), flow('dddddddd-1', 'lr_in_policy')];
  const ofRoute = { network, row: firstRoute };
  const ofNetwork: NorthboundRow = { ...firstRoute, isOfZone: true };

  it('are those of the route, where the network has a port on the chassis', () => {
    const expected = { of: `route ${firstRoute.name}`, cookie: '0xcccccccc' };
    expect(expectedFlows(ofRoute, [[gatewayPort], [], [other, routing]])).to.deep.equal(expected);
    expect(expectedFlows({ network, row: ofNetwork }, [[], [managementPort], [routing]])).to.deep.equal(expected);
  });

  it('are those of any port on the chassis, where nothing is known of the route', () => {
    const expected = { of: 'port rtoe-x', cookie: '0xaaaaaaaa' };
    expect(expectedFlows(ofRoute, [[gatewayPort], [managementPort], [other]])).to.deep.equal(expected);
    expect(expectedFlows({ network }, [[gatewayPort], []])).to.deep.equal(expected);
  });

  it('are those of the management port for a gateway router that is on no chassis', () => {
    const gone = port('aaaaaaaa-1', 'rtoe-x', false);
    expect(expectedFlows(ofRoute, [[gone], [managementPort], [routing]])).to.deep.equal({
      of: 'port k8s-x',
      cookie: '0xbbbbbbbb',
    });
  });

  it('are none as long as the network has no port on the chassis', () => {
    expect(expectedFlows(ofRoute, [[port('aaaaaaaa-1', 'rtoe-x', false)], [], [routing]])).to.equal(undefined);
    expect(expectedFlows({ network }, [])).to.equal(undefined);
  });

  it('are asked for by the network, and by what a row has given to its logical flows', () => {
    expect(queriesOf({ network }).map(({ table }) => table)).to.deep.equal(['Port_Binding', 'Port_Binding']);
    const [, , query] = queriesOf({ network, row: { ...firstRoute, uuid: '12345678-abcd' } });
    expect(query?.where).to.deep.equal([['external_ids', 'includes', ['map', [['stage-hint', '12345678']]]]]);
  });
});
