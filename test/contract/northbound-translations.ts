import { expect } from 'chai';
import type { GatewayRouterInput } from '../../src/domain/dataplane/gateway-router/gateway-router-input.ts';
import { gatewayRouterRows } from '../../src/domain/dataplane/gateway-router/gateway-router-rows.ts';
import { satisfiesRow } from '../../src/domain/entities/ovn/northbound-row.ts';
import { type NorthboundRow, rowKey } from '../../src/domain/datapath/northbound/row.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import type { NorthboundOperation } from '../../src/ports/node/northbound.ts';
import { changeRows, deleteGatewayRouter, insertGatewayRouter, makeChanges } from './northbound-examples.ts';

/** A Northbound database under test, and a network on it. */
export interface TestedNetwork {
  /** The half of the network that is not ours. */
  readonly own: readonly NorthboundRow[];
  readonly blue: GatewayRouterInput;
  /** The rows. */
  readonly read: () => Promise<readonly NorthboundRow[]>;
  readonly apply: (operation: NorthboundOperation) => Promise<ApplyResult>;
  /** The error of an operation that is refused. */
  readonly refusal: (result: Promise<ApplyResult>) => Promise<string>;
  /** Inserts rows as another program, and waits until they are read. */
  readonly prepare: (...rows: readonly NorthboundRow[]) => Promise<void>;
}

/** Tests translations that address sets limit: rows that refer to rows which stay without them. */
export function describeTranslations({ own, blue, read, apply, refusal, prepare }: TestedNetwork): void {
  const done = { done: true };
  const desired = gatewayRouterRows(blue);
  describe('of an advertised network', () => {
    const advertised = { ...blue, isAdvertised: true };
    const withSets = gatewayRouterRows(advertised);
    const sets = withSets.filter(({ table }) => table === 'Address_Set');
    const ofPods = (rows: readonly NorthboundRow[]) =>
      rows.filter(({ table, columns }) => table === 'NAT' && 'allowed_ext_ips' in columns);
    const limits = async () => {
      const names = new Set(ofPods(withSets).map(({ name: each }) => each));
      return (await read())
        .filter(({ table, name: each }) => table === 'NAT' && names.has(each))
        .map(({ columns }) => columns['allowed_ext_ips']);
    };
    const setNames = sets.map(({ name: each }) => each);

    it('inserts and deletes translations with the address sets that limit them', async () => {
      await prepare(...own);
      const before = await read();
      expect(await apply(insertGatewayRouter(advertised))).to.deep.equal(done);
      for (const row of withSets) {
        const same = (await read()).find((each) => rowKey(each) === rowKey(row));
        expect(same && satisfiesRow(same, row), rowKey(row)).to.equal(true);
        expect(same?.network).to.equal(blue.networkName);
      }
      expect(await limits())
        .to.have.members(setNames)
        .and.to.have.length(2);
      expect(await apply(insertGatewayRouter(advertised))).to.deep.equal(done);
      expect(await apply(deleteGatewayRouter(advertised))).to.deep.equal(done);
      expect(await read()).to.have.deep.members(before);
    });

    it('follows the nodes of the cluster without changing translations', async () => {
      await prepare(...own);
      expect(await apply(insertGatewayRouter(advertised))).to.deep.equal(done);
      const before = await read();
      const [set] = sets;
      if (set === undefined) throw new Error('there is no address set');
      const grown = { ...set, columns: { addresses: ['198.51.100.10', '198.51.100.12'] } };
      expect(await apply(changeRows('replace', [grown]))).to.deep.equal(done);
      const changed = (await read()).filter((row) => !before.includes(row));
      expect(changed.map(rowKey)).to.deep.equal([rowKey(set)]);
      expect(changed[0]?.columns).to.deep.equal(grown.columns);
    });

    it('limits existing translations, and removes the limit', async () => {
      await prepare(...own);
      expect(await apply(insertGatewayRouter(blue))).to.deep.equal(done);
      expect(await limits()).to.deep.equal([[], []]);
      const toNodes = changeRows('add', [...sets, ...ofPods(withSets)]);
      expect(await apply(toNodes)).to.deep.equal(done);
      expect(await limits()).to.have.members(setNames);
      const toAll = [
        ...sets.map((row) => ({ verb: 'remove', row }) as const),
        ...ofPods(desired).map((row) => ({ verb: 'replace', row }) as const),
      ];
      expect(await apply(makeChanges(toAll))).to.deep.equal(done);
      expect(await limits()).to.deep.equal([[], []]);
      expect((await read()).map(rowKey)).to.have.members([...own, ...desired].map(rowKey));
    });

    it('adds no translation whose address set is gone', async () => {
      await prepare(...own);
      expect(await apply(insertGatewayRouter(blue))).to.deep.equal(done);
      const before = await read();
      expect(await refusal(apply(changeRows('add', ofPods(withSets))))).to.contain(
        `Address_Set ${setNames[0] ?? ''} does not exist any more, which NAT GR_cluster_udn_blue_worker-a snat 10.20.0.0/16 refers to`,
      );
      expect(await read()).to.deep.equal(before);
    });
  });
}
