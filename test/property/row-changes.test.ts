/** Changes of rows of OVN's Northbound database in one operation lead where one after the other leads. */
import { clusterNetworkKey } from '../../src/domain/network/key.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import { northboundRowEntity } from '../../src/domain/entities/ovn/northbound-row.ts';
import { deleteRows, putRows } from '../../src/domain/node-model/switch/northbound.ts';
import type { NorthboundRow } from '../../src/domain/datapath/northbound/row.ts';
import { semanticsOf } from '../../src/domain/entities/operations/operation-semantics.ts';
import { setOperationsOf } from '../../src/domain/entities/operations/operation.ts';
import type { NodeSnapshot } from '../../src/domain/snapshot/node-snapshot.ts';
import { completeNode } from '../../src/testing/index.ts';
import { caseCount } from '../case-count.ts';
import { Coverage } from '../coverage.ts';

const switches = ['left', 'right'] as const;

/** A switch, a port of one that is there or not, such as a localnet port, or a set of addresses. */
const rows: fc.Arbitrary<NorthboundRow> = fc
  .record({
    table: fc.constantFrom('Logical_Switch', 'Logical_Switch_Port', 'Address_Set'),
    name: fc.constantFrom(...switches, 'a', 'b'),
    parent: fc.constantFrom(...switches),
    network: fc.constantFrom('blue', undefined),
    isClosed: fc.boolean(),
  })
  .map(({ table, name, parent, network, isClosed }): NorthboundRow => {
    const own = network === undefined ? {} : ({ network, isOfZone: true } as const);
    if (table !== 'Logical_Switch_Port') return { ...own, table, name, columns: {} };
    // A port does not change its type.
    const columns = name === 'a' ? { type: 'localnet', options: { network_name: 'physnet' } } : { type: '' };
    const parents = [{ table: 'Logical_Switch', name: parent, column: 'ports' } as const];
    return { ...own, table, name, parents, columns, ...(isClosed && { initial: { tag_request: 7 } }) };
  });

const changes = fc.array(
  fc.record({
    verb: fc.constantFrom('add', 'replace', 'remove', 'remove', 'remove'),
    row: rows.map((row): NorthboundRow => ({ ...row, network: 'blue', isOfZone: true })),
  }),
  { minLength: 1, maxLength: 8 },
);

const before = completeNode({
  nodeName: 'worker-a',
  switchExternalIds: { 'ovn-bridge-mappings': 'physnet:br-blue' },
  bridges: [{ name: 'br-blue', ports: [{ name: 'eth1' }] }],
});

describe('changes of rows in one operation', function () {
  this.timeout(0);

  it('lead to the node that one after the other leads to', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 6 }), changes, (found, made) => {
        const node: NodeSnapshot = { ...putRows(before, found), northbound: found };
        const [operation] = setOperationsOf(
          made.map(({ verb, row }) => ({
            verb,
            networks: [clusterNetworkKey('blue')],
            entity: northboundRowEntity(row),
          })),
        );
        const effect = semanticsOf(operation!).effect(operation!, node);
        const oneByOne = made.reduce<NodeSnapshot>(
          (after, { verb, row }) => (verb === 'remove' ? deleteRows(after, [row]) : putRows(after, [row])),
          node,
        );
        expect(effect).to.deep.equal({ done: true, node: oneByOne });
        coverage.count({
          'a row goes with another': oneByOne.northbound.length < node.northbound.length - 1,
          'two rows with one key': new Set(found.map(({ table, name }) => `${table} ${name}`)).size < found.length,
          'a patch port':
            oneByOne.bridges.flatMap(({ ports }) => ports).length > before.bridges.flatMap(({ ports }) => ports).length,
        });
      }),
      { numRuns: caseCount(1000) },
    );
    coverage.expect({ 'a row goes with another': 0.01, 'two rows with one key': 0.1, 'a patch port': 0.05 });
  });
});
