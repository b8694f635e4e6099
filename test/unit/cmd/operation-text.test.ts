import { clusterNetworkKey } from '../../../src/domain/network/key.ts';
import { expect } from 'chai';
import {
  objectSummary,
  operationLine,
  operationSection,
  operationSummary,
} from '../../../src/cmd/output/operation-text.ts';
import { paletteOf } from '../../../src/cmd/output/terminal.ts';
import type { Operation, PlannedOperation } from '../../../src/domain/index.ts';

const terminal = { out: () => undefined, err: () => undefined, progress: false };
const plain = paletteOf({ ...terminal, colours: false });
const coloured = paletteOf({ ...terminal, colours: true });

const planned = (operation: Operation, ...words: readonly string[]): PlannedOperation => ({
  operation,
  command: { program: 'ip', arguments: words },
});
const vrf = (...names: readonly string[]) =>
  planned(
    {
      verb: 'add',
      networks: names.map(clusterNetworkKey),
      entity: { kind: 'vrf', name: 'v', table: 7, alias: 'ovn-uplinks:n', up: true },
    },
    'link',
    'add',
    'dev',
    'v',
  );
const signed = (...names: readonly string[]) =>
  planned(
    {
      verb: 'replace',
      networks: names.map(clusterNetworkKey),
      entity: { kind: 'vrf', name: 'v', alias: 'a b', table: 1012, up: true },
    },
    'link',
    'set',
    'dev',
    'v',
    'alias',
    'a b',
  );
const released = (...names: readonly string[]) =>
  planned(
    {
      verb: 'remove',
      networks: names.map(clusterNetworkKey),
      entity: { kind: 'membership', device: 'br-blue', vrf: 'v', table: 1012, network: 'cluster_udn_blue' },
    },
    'link',
    'set',
    'dev',
    'br-blue',
    'nomaster',
  );
const unmapped = (...names: readonly string[]) =>
  planned({
    verb: 'remove',
    networks: names.map(clusterNetworkKey),
    entity: { kind: 'bridge-mapping', networkName: 'n', bridge: 'b' },
  });

describe('operations as text', () => {
  it('are empty if there are none', () => {
    expect(operationSection([], true, plain)).to.deep.equal([]);
  });

  it('are grouped: by network, then shared ones, then those of no known network', () => {
    const operations = [unmapped(), vrf('red'), signed('blue', 'green'), released('blue'), signed('red'), vrf('blue')];
    expect(operationSection(operations, false, plain)).to.deep.equal([
      '  OPERATIONS',
      '  blue',
      '    - br-blue out of VRF v (br-blue goes down and up: its connections pause)',
      '    + VRF v with table 7',
      '  red',
      '    + VRF v with table 7',
      '    ~ VRF v: up, signed as a b',
      '  shared by blue, green',
      '    ~ VRF v: up, signed as a b',
      '  left over',
      '    - bridge mapping n:b (the network’s connections are reset)',
    ]);
  });

  it('distinguish networks from groups with the same text', () => {
    const section = operationSection([vrf('left over'), vrf('blue, red'), vrf('blue', 'red'), vrf()], false, plain);
    expect(section.filter((line) => !line.startsWith('    '))).to.deep.equal([
      '  OPERATIONS',
      '  blue, red',
      '  left over',
      '  shared by blue, red',
      '  left over',
    ]);
  });

  it('have their commands, quoted for a shell, on request', () => {
    expect(operationSection([vrf('blue'), signed('blue')], true, plain)).to.deep.equal([
      '  OPERATIONS',
      '  blue',
      '    + VRF v with table 7',
      '        ip link add dev v',
      '    ~ VRF v: up, signed as a b',
      "        ip link set dev v alias 'a b'",
    ]);
  });

  it('have their commands in an order in which they work, whatever their networks', () => {
    const operations = [vrf('red'), vrf('blue'), signed('blue'), signed('red')];
    const heads = operationSection(operations, true, plain).filter((line) => !line.startsWith('    '));
    expect(heads).to.deep.equal(['  OPERATIONS', '  red', '  blue', '  red']);
  });

  it('have a command that fails if its transaction does', () => {
    const mapped = { ...unmapped('blue'), command: { program: 'ovsdb-client', arguments: ['transact', '["x"]'] } };
    const [, , , command] = operationSection([mapped], true, plain);
    expect(command?.trim()).to.equal(`ovsdb-client transact '["x"]' | grep -v '"error"'`);
  });

  it('have both commands of one that takes two, in their order', () => {
    const kept = { ...vrf('blue'), command: { program: 'ip', first: ['neighbour', 'replace'], arguments: ['link'] } };
    const [, , , ...commands] = operationSection([kept], true, plain);
    expect(commands.map((line) => line.trim())).to.deep.equal(['ip neighbour replace', 'ip link']);
  });

  it('have coloured marks', () => {
    const marks = (['+', '~', '-'] as const).map((mark) => operationLine({ mark, summary: 'it' }, coloured));
    expect(marks).to.deep.equal(['\u001b[32m+\u001b[39m it', '\u001b[33m~\u001b[39m it', '\u001b[31m-\u001b[39m it']);
  });

  it('contain no control characters', () => {
    const line = operationLine({ mark: '+', summary: 'a\u001b[2J', disturbs: 'b\n' }, plain);
    expect(line).to.equal('+ a\\x1b[2J (b\\x0a)');
  });
});

describe('operations as a sentence', () => {
  const sentences: readonly (readonly [
    operations: readonly PlannedOperation[],
    only: readonly string[] | undefined,
    sentence: string,
  ])[] = [
    [[], undefined, 'Nothing to do on a.'],
    [[], ['blue'], 'Nothing to do for blue on a.'],
    [[vrf('blue'), vrf('red'), signed('blue')], undefined, 'Plan: 2 to add, 1 to change, 0 to remove on a.'],
    [
      [released('blue'), unmapped('blue')],
      ['blue', 'red'],
      'Plan for blue, red: 0 to add, 0 to change, 2 to remove on a; 1 interface goes down and up; 1 network’s connections are reset.',
    ],
  ];
  for (const [operations, only, sentence] of sentences) {
    it(`are "${sentence}"`, () => {
      expect(operationSummary('a', operations, only)).to.equal(sentence);
    });
  }
});

describe('the number of writes', () => {
  it('is printed', () => {
    expect([0, 1, 2].map(objectSummary)).to.deep.equal([
      'No object to write.',
      '1 object to write.',
      '2 objects to write.',
    ]);
  });
});
