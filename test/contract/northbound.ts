import { expect } from 'chai';
import { gatewayRouterRows } from '../../src/domain/dataplane/gateway-router/gateway-router-rows.ts';
import { gatewayRouterNames } from '../../src/domain/network/names/gateway-router.ts';
import { satisfiesRow } from '../../src/domain/entities/ovn/northbound-row.ts';
import { isPartOf, type NorthboundRow, rowKey } from '../../src/domain/datapath/northbound/row.ts';
import type { ColumnValue } from '../../src/domain/datapath/northbound/tables.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import type { Northbound, NorthboundOperation } from '../../src/ports/node/northbound.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { problemLines, valueOf } from '../unit/adapters/readings.ts';
import {
  changeRows,
  deleteGatewayRouter,
  gatewayRouter,
  insertGatewayRouter,
  openRouterPort,
  openRouterPorts,
  ownHalf,
} from './northbound-examples.ts';
import { describeTranslations } from './northbound-translations.ts';

/** A Northbound database, and the means to change it as another program would. */
export interface NorthboundUnderTest {
  /** Initialized, without rows; what is in force is confirmed at once. */
  readonly northbound: Northbound;
  /** Inserts rows, each after the one that refers to it. */
  insert(...rows: readonly NorthboundRow[]): void;
  /** Sets a column of a row that was read. */
  setColumn(row: NorthboundRow, column: string, value: ColumnValue): void;
  /** Deletes a row that was read. */
  delete(row: NorthboundRow): void;
  /** Has another program change something after the next operation has read the rows, and before it writes them. */
  changeBeforeNextWrite(change: () => void): void;
  /** Whether changes that are in force are confirmed; if not, they fail after a short while. */
  setConfirming(isConfirming: boolean): void | Promise<void>;
  /** Makes the database unreachable until `recover`. */
  fail(): void | Promise<void>;
  recover(): void | Promise<void>;
  /** Stops everything except the database under test. */
  end(): void | Promise<void>;
}

const done = { done: true };
const blue = gatewayRouter('blue');
const desired = gatewayRouterRows(blue);
const names = gatewayRouterNames(blue.networkName, blue.node, blue.bridge);
const { router: clusterRouter = '', joinSwitch = '' } = names.inside;
const own = ownHalf(blue);

/** Tests an implementation of Northbound. */
export function describeNorthbound(
  name: string,
  start: () => NorthboundUnderTest | Promise<NorthboundUnderTest>,
): void {
  describe(`Northbound: ${name}`, () => {
    let fixture: NorthboundUnderTest;
    beforeEach(async () => {
      fixture = await start();
    });
    afterEach(async () => {
      await fixture.northbound.close();
      await fixture.end();
    });

    const read = async () => valueOf(await fixture.northbound.read()).northbound;
    const apply = (operation: NorthboundOperation) => fixture.northbound.apply(operation);
    const isRead = async (rows: readonly Pick<NorthboundRow, 'table' | 'name'>[]) => {
      const keys = new Set((await read()).map(rowKey));
      return rows.every((row) => keys.has(rowKey(row)));
    };
    /** Inserts rows as another program, and waits until they are read. */
    const prepare = async (...rows: readonly NorthboundRow[]) => {
      await read();
      fixture.insert(...rows);
      await eventually('the rows are read', () => isRead(rows));
    };
    const rowNamed = async (table: NorthboundRow['table'], rowName: string): Promise<NorthboundRow> => {
      const row = (await read()).find((each) => each.table === table && each.name === rowName);
      if (row === undefined) throw new Error(`there is no ${table} ${rowName}`);
      return row;
    };
    const router = () => rowNamed('Logical_Router', names.gatewayRouter);
    const foreign = async () => (await read()).filter(({ network }) => network === undefined);
    const refusal = async (result: Promise<ApplyResult>): Promise<string> => {
      const { error, ...rest } = (await result) as Extract<ApplyResult, { done: false }>;
      expect(rest).to.deep.equal({ done: false, isRefused: true });
      expect(error).not.to.contain('\n');
      return error;
    };

    it('reads an empty database', async () => {
      expect(valueOf(await fixture.northbound.read())).to.deep.equal({ northbound: [], isNorthboundRead: true });
    });

    it('reads rows of other programs, and calls its listener', async () => {
      await read();
      let calls = 0;
      fixture.northbound.onChange(() => (calls += 1));
      const route: NorthboundRow = {
        table: 'Logical_Router_Static_Route',
        name: `${clusterRouter} src-ip 10.0.0.0/8 192.0.2.9`,
        columns: { ip_prefix: '10.0.0.0/8', nexthop: '192.0.2.9', policy: 'src-ip' },
        externalIds: { other: 'value' },
        parents: [{ table: 'Logical_Router', name: clusterRouter, column: 'static_routes' }],
      };
      await prepare(...own, route);
      await eventually('the listener is called', () => calls > 0);
      const found = await read();
      expect(found.map(rowKey)).to.have.members([...own, route].map(rowKey));
      expect(found.every(({ network, uuid }) => network === undefined && uuid !== undefined)).to.equal(true);
      for (const row of [...own, route]) expect(found.some((each) => satisfiesRow(each, row))).to.equal(true);
      const before = calls;
      fixture.delete(await rowNamed('Logical_Router_Static_Route', route.name));
      await eventually('the row is gone', async () => !(await isRead([route])));
      await eventually('the listener is called again', () => calls > before);
    });

    it('inserts the gateway router of a network, and reads it as its own', async () => {
      await prepare(...own);
      const before = await read();
      expect(await apply(insertGatewayRouter(blue))).to.deep.equal(done);
      const found = await read();
      expect(found.map(rowKey)).to.have.members([...own, ...desired].map(rowKey));
      for (const row of desired) {
        const same = found.find((each) => rowKey(each) === rowKey(row));
        expect(same && satisfiesRow(same, row), rowKey(row)).to.equal(true);
        expect(same?.network).to.equal(blue.networkName);
      }
      expect(await foreign()).to.deep.equal(before);
    });

    it('deletes it, and leaves the rows of others', async () => {
      await prepare(...own);
      const before = await read();
      expect(await apply(insertGatewayRouter(blue))).to.deep.equal(done);
      expect(await apply(deleteGatewayRouter(blue))).to.deep.equal(done);
      expect(await read()).to.have.deep.members(before);
    });

    it('changes nothing and does not call its listener if an operation is repeated', async () => {
      await prepare(...own);
      for (const operation of [insertGatewayRouter(blue), openRouterPort('add', blue), deleteGatewayRouter(blue)]) {
        expect(await apply(operation)).to.deep.equal(done);
        const after = await read();
        let calls = 0;
        fixture.northbound.onChange(() => (calls += 1));
        expect(await apply(operation)).to.deep.equal(done);
        expect([await read(), calls]).to.deep.equal([after, 0]);
      }
    });

    it('gives the same object for a row that did not change', async () => {
      await prepare(...own);
      expect(await apply(insertGatewayRouter(blue))).to.deep.equal(done);
      const before = await read();
      expect((await read()) === before).to.equal(true);
      const [, ...others] = before.filter(({ table }) => table === 'NAT');
      fixture.setColumn(await router(), 'options', { chassis: 'other' });
      await eventually('it is read', async () => JSON.stringify((await router()).columns).includes('other'));
      const after = await read();
      expect(after.filter((row) => !before.includes(row)).map(rowKey)).to.deep.equal([
        `Logical_Router ${names.gatewayRouter}`,
      ]);
      expect(others.every((row) => after.includes(row))).to.equal(true);
    });

    it('replaces columns, and keeps keys of other programs', async () => {
      await prepare(...own);
      expect(await apply(insertGatewayRouter(blue))).to.deep.equal(done);
      const options = (await router()).columns['options'] as Readonly<Record<string, string>>;
      fixture.setColumn(await router(), 'options', { ...options, other: 'x' });
      await eventually('it is read', async () => JSON.stringify((await router()).columns).includes('other'));
      const moved = gatewayRouterRows(gatewayRouter('blue', { chassis: 'chassis-b', vlan: 100 }));
      const replaced = moved.filter(({ table }) => table === 'Logical_Router' || table === 'Logical_Switch_Port');
      expect(await apply(changeRows('replace', replaced))).to.deep.equal(done);
      expect((await router()).columns['options']).to.include({ chassis: 'chassis-b', other: 'x' });
      expect((await rowNamed('Logical_Switch_Port', names.localnetPort)).columns['tag_request']).to.equal(100);
      expect(
        await apply(
          changeRows(
            'replace',
            desired.filter(({ table }) => table === 'Logical_Switch_Port'),
          ),
        ),
      ).to.deep.equal(done);
      expect((await rowNamed('Logical_Switch_Port', names.localnetPort)).columns['tag_request']).to.deep.equal([]);
    });

    it('adds and deletes routes when gateways are added and removed', async () => {
      await prepare(...own);
      expect(await apply(insertGatewayRouter(blue))).to.deep.equal(done);
      const two = gatewayRouterRows(gatewayRouter('blue', {}, ['192.0.2.1', '192.0.2.2']));
      const added = two.filter((row) => !desired.some((other) => rowKey(other) === rowKey(row)));
      expect(added.map(({ table }) => table)).to.deep.equal(['Logical_Router_Static_Route', 'Static_MAC_Binding']);
      expect(await apply(changeRows('add', added))).to.deep.equal(done);
      expect(await isRead(two)).to.equal(true);
      expect(await apply(changeRows('remove', added))).to.deep.equal(done);
      expect((await read()).map(rowKey)).to.have.members([...own, ...desired].map(rowKey));
    });

    describeTranslations({ own, blue, read, apply, refusal, prepare });

    it('closes the port of a router that it inserts, and opens and closes it', async () => {
      await prepare(...own);
      const enabled = async () =>
        (await rowNamed('Logical_Router_Port', names.externalRouterPort)).columns['enabled'] as unknown;
      expect(await apply(insertGatewayRouter(blue))).to.deep.equal(done);
      expect(await enabled()).to.equal(false);
      expect(await apply(openRouterPort('add', blue))).to.deep.equal(done);
      expect(await enabled()).to.equal(true);
      expect(await apply(insertGatewayRouter(blue))).to.deep.equal(done);
      expect(await enabled()).to.equal(true);
      expect(await apply(openRouterPort('remove', blue))).to.deep.equal(done);
      expect(await enabled()).to.equal(false);
      expect(await apply(deleteGatewayRouter(blue))).to.deep.equal(done);
      expect(await apply(openRouterPort('remove', blue))).to.deep.equal(done);
      expect(await refusal(apply(openRouterPort('add', blue)))).to.contain(
        `Logical_Router_Port ${names.externalRouterPort} does not exist any more`,
      );
    });

    it('opens ports of several routers at once, except refused ones', async () => {
      await prepare(...own);
      await apply(insertGatewayRouter(blue));
      const missing = openRouterPort('add', { ...blue, networkName: 'cluster_udn_red' }, 'red');
      const both = openRouterPorts([missing, openRouterPort('add', blue)]);
      const result = await apply(both);
      expect(result.done && result.leftOut?.map(({ change }) => change.networks)).to.deep.equal([missing.networks]);
      const { columns } = await rowNamed('Logical_Router_Port', names.externalRouterPort);
      expect(columns['enabled']).to.equal(true);
      expect(await refusal(apply(openRouterPorts([missing])))).to.contain('does not exist any more');
    });

    it('waits for confirmation only of changes that packets depend on', async () => {
      await prepare(...own);
      await fixture.setConfirming(false);
      expect(await apply(insertGatewayRouter(blue))).to.deep.equal(done);
      const opened = await apply(openRouterPort('add', blue));
      expect(opened).to.deep.include({ done: false }).and.not.to.have.property('isRefused');
      expect('error' in opened && opened.error).to.match(/did not confirm the change/);
      const again = await apply(openRouterPort('add', blue));
      expect(again.done, 'it is made, and not confirmed').to.equal(false);
      const unconfirmed = async () => (await read()).flatMap((row) => (row.isOpeningUnconfirmed ? row.name : []));
      expect(await unconfirmed()).to.deep.equal([names.externalRouterPort]);
      const routes = desired.filter(({ table }) => table === 'Logical_Router_Static_Route').slice(0, 1);
      expect((await apply(changeRows('remove', routes))).done).to.equal(false);
      await fixture.setConfirming(true);
      expect(await apply(openRouterPort('add', blue))).to.deep.equal(done);
      expect(await unconfirmed()).to.deep.equal([]);
      expect(await apply(changeRows('add', routes))).to.deep.equal(done);
    });

    it("changes nothing if the network's own half is missing, and names what is missing", async () => {
      const missing = [clusterRouter, joinSwitch];
      for (const rowName of missing) {
        const half = own.filter((row) => row.name !== rowName && !isPartOf(row, rowName));
        await prepare(...half);
        const before = await read();
        const message = await refusal(apply(insertGatewayRouter(blue)));
        expect(message).to.match(
          new RegExp(
            `Logical_(Router|Switch) ${rowName} does not exist, which Logical_\\S+ .* is a part of; it is added with the network$`,
          ),
        );
        expect(await read()).to.deep.equal(before);
        for (const row of before.filter(({ parents }) => parents === undefined)) fixture.delete(row);
        await eventually('all is gone', async () => (await read()).length === 0);
      }
    });

    it('neither changes nor deletes a row of another program that has the key of one of its own', async () => {
      const taken = desired.filter(({ table }) => table === 'Logical_Switch');
      await prepare(...own, ...taken.map(({ network: _, ...row }) => row));
      const before = await read();
      expect(await refusal(apply(insertGatewayRouter(blue)))).to.contain(
        `Logical_Switch ${names.externalSwitch} exists and is not managed by ovn-uplinks`,
      );
      expect(await refusal(apply(changeRows('replace', taken)))).to.contain('is not managed by ovn-uplinks');
      expect(await apply(changeRows('remove', taken))).to.deep.equal(done);
      expect(await read()).to.deep.equal(before);
    });

    type Race = readonly [
      what: string,
      change: () => Promise<() => void>,
      operation: NorthboundOperation,
      isMade: (rows: readonly NorthboundRow[]) => boolean,
    ];
    const newRoute: NorthboundRow = {
      table: 'Logical_Router_Static_Route',
      name: `${clusterRouter} dst-ip 10.99.0.0/16 100.65.0.2`,
      network: blue.networkName,
      columns: { ip_prefix: '10.99.0.0/16', nexthop: '100.65.0.2' },
      parents: [{ table: 'Logical_Router', name: clusterRouter, column: 'static_routes' }],
    };
    const onOtherChassis = gatewayRouterRows(gatewayRouter('blue', { chassis: 'chassis-b' })).slice(0, 1);
    const isOnOtherChassis = (rows: readonly NorthboundRow[]) => JSON.stringify(rows).includes('chassis-b');
    const hasNewRoute = (rows: readonly NorthboundRow[]) =>
      rows.some(({ name: each, network }) => each === newRoute.name && network !== undefined);
    const withoutNetwork = ({ network: _, ...row }: NorthboundRow): NorthboundRow => row;
    const races: readonly Race[] = [
      [
        'changes a row that is to be replaced',
        async () => {
          const found = await router();
          return () => fixture.setColumn(found, 'options', { chassis: 'other' });
        },
        changeRows('replace', onOtherChassis),
        isOnOtherChassis,
      ],
      [
        'deletes a row that is to be replaced',
        async () => {
          const found = await router();
          return () => fixture.delete(found);
        },
        changeRows('replace', onOtherChassis),
        isOnOtherChassis,
      ],
      [
        'changes a row that is to be deleted',
        async () => {
          const found = await rowNamed('Logical_Switch_Port', names.localnetPort);
          return () => fixture.setColumn(found, 'addresses', ['0a:00:00:00:00:07']);
        },
        changeRows(
          'remove',
          desired.filter(({ name: each }) => each === names.localnetPort),
        ),
        (rows) => rows.every(({ name: each }) => each !== names.localnetPort),
      ],
      [
        'deletes the router that a row is to be added to',
        async () => {
          const found = await rowNamed('Logical_Router', clusterRouter);
          return () => fixture.delete(found);
        },
        changeRows('add', [newRoute]),
        hasNewRoute,
      ],
      [
        'adds the same row, which has no name',
        () => Promise.resolve(() => fixture.insert(withoutNetwork(newRoute))),
        changeRows('add', [newRoute]),
        hasNewRoute,
      ],
    ];
    for (const [what, change, operation, isMade] of races) {
      it(`changes nothing if, before it writes, another program ${what}`, async () => {
        await prepare(...own);
        expect(await apply(insertGatewayRouter(blue))).to.deep.equal(done);
        const before = await read();
        fixture.changeBeforeNextWrite(await change());
        expect(await refusal(apply(operation))).to.contain('another program changed');
        await eventually('the change is read', async () => (await read()) !== before);
        expect(isMade(await read())).to.equal(false);
      });
    }

    it('fails the second of two programs that add a router of one name', async () => {
      await prepare(...own);
      const [first] = desired;
      fixture.changeBeforeNextWrite(() => first && fixture.insert(withoutNetwork(first)));
      expect(await refusal(apply(insertGatewayRouter(blue)))).to.contain(
        `another program changed Logical_Router ${names.gatewayRouter}`,
      );
      await eventually('theirs is read', () => isRead(desired.slice(0, 1)));
      expect(await read()).to.have.length(own.length + 1);
    });

    it('inserts refused rows once the race is over', async () => {
      await prepare(...own);
      const [switchOfNode] = (await read()).filter(({ name: each }) => each === joinSwitch);
      fixture.changeBeforeNextWrite(() => {
        if (switchOfNode !== undefined) fixture.delete(switchOfNode);
      });
      expect(await refusal(apply(insertGatewayRouter(blue)))).to.contain(`Logical_Switch ${joinSwitch}`);
      await eventually('it is gone', async () => !(await isRead([{ table: 'Logical_Switch', name: joinSwitch }])));
      fixture.insert(...own.filter((row) => row.name === joinSwitch || isPartOf(row, joinSwitch)));
      await eventually('it is there again', () => isRead(own));
      expect(await apply(insertGatewayRouter(blue))).to.deep.equal(done);
      expect(await isRead(desired)).to.equal(true);
    });

    it('applies operations of several networks with the same addresses at once', async () => {
      const networks = ['a', 'b', 'c', 'd', 'e'];
      const inputs = networks.map((network) => gatewayRouter(network));
      await prepare(...inputs.flatMap(ownHalf));
      const each = (make: (input: typeof blue, network: string) => NorthboundOperation) =>
        Promise.all(inputs.map((input, index) => apply(make(input, networks[index] ?? ''))));
      expect(await each(insertGatewayRouter)).to.deep.equal(networks.map(() => done));
      expect(await isRead(inputs.flatMap(gatewayRouterRows))).to.equal(true);
      expect(await each((input, network) => openRouterPort('add', input, network))).to.deep.equal(
        networks.map(() => done),
      );
      expect(await each(deleteGatewayRouter)).to.deep.equal(networks.map(() => done));
      expect((await read()).map(rowKey)).to.have.members(inputs.flatMap(ownHalf).map(rowKey));
    });

    it('reports a problem while it cannot be reached, and recovers afterwards', async () => {
      await prepare(...own);
      let calls = 0;
      fixture.northbound.onChange(() => (calls += 1));
      await fixture.fail();
      await eventually('the listener is called', () => calls > 0);
      await eventually('reads fail', async () => problemLines(await fixture.northbound.read()).length > 0);
      const outcome = await apply(insertGatewayRouter(blue));
      expect(outcome.done).to.equal(false);
      expect('error' in outcome && outcome.error)
        .to.match(/^\S.*$/)
        .and.not.contain('\n');
      const before = calls;
      await fixture.recover();
      await eventually('the listener is called again', () => calls > before);
      await eventually('it can be read', async () => (await fixture.northbound.read()).read);
      expect((await read()).map(rowKey)).to.have.members(own.map(rowKey));
      expect(await apply(insertGatewayRouter(blue))).to.deep.equal(done);
      expect(await isRead(desired)).to.equal(true);
    });

    it('does nothing once it is closed', async () => {
      await prepare(...own);
      let calls = 0;
      fixture.northbound.onChange(() => (calls += 1));
      await fixture.northbound.close();
      expect((await fixture.northbound.read()).read).to.equal(false);
      expect((await apply(insertGatewayRouter(blue))).done).to.equal(false);
      fixture.insert({ table: 'Logical_Switch', name: 'other', columns: {} });
      await fixture.northbound.close();
      expect(calls).to.equal(0);
    });
  });
}
