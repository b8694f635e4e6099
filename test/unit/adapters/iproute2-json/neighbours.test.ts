import { expect } from 'chai';
import { readNeighbours } from '../../../../src/adapters/iproute2-json/neighbours.ts';
import type { Neighbour } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { capturedText } from '../captured-text.ts';
import { problemLines, valueOf } from '../readings.ts';

const eth0 = { device: 'eth0', macAddress: '02:00:00:00:00:50' };

/** The output of iproute2 6.1 on Linux 6.1 after each command. */
const examples: readonly (readonly [command: string, printed: string, neighbour: Neighbour])[] = [
  [
    'ip neighbour add 192.0.2.50 lladdr 02:00:00:00:00:50 dev eth0',
    '{"dst":"192.0.2.50","dev":"eth0","lladdr":"02:00:00:00:00:50","state":["PERMANENT"]}',
    { ...eth0, address: '192.0.2.50', states: ['permanent'] },
  ],
  [
    'ip neighbour add … nud reachable protocol 94',
    '{"dst":"192.0.2.51","dev":"eth0","lladdr":"02:00:00:00:00:50","state":["REACHABLE"],"protocol":"94"}',
    { ...eth0, address: '192.0.2.51', states: ['reachable'], protocol: '94' },
  ],
  [
    'ip neighbour add fe80::50 … router protocol static',
    '{"dst":"fe80::50","dev":"eth0","lladdr":"02:00:00:00:00:50","router":null,"state":["PERMANENT"],"protocol":"static"}',
    { ...eth0, address: 'fe80::50', states: ['permanent'], protocol: 'static', router: true },
  ],
  [
    'ip neighbour add … extern_learn',
    '{"dst":"192.0.2.53","dev":"eth0","lladdr":"02:00:00:00:00:50","extern_learn":null,"state":["PERMANENT"]}',
    { ...eth0, address: '192.0.2.53', states: ['permanent', 'extern_learn'] },
  ],
  [
    'ip neighbour add … managed',
    '{"dst":"192.0.2.54","dev":"eth0","lladdr":"02:00:00:00:00:50","managed":null,"state":["NOARP"]}',
    { ...eth0, address: '192.0.2.54', states: ['noarp', 'managed'] },
  ],
  [
    'ip neighbour add … nud none, printed with nud all',
    '{"dst":"192.0.2.55","dev":"eth0"}',
    { device: 'eth0', address: '192.0.2.55', states: [] },
  ],
  [
    'a failed resolution',
    '{"dst":"192.0.2.77","dev":"eth0","state":["FAILED"]}',
    { device: 'eth0', address: '192.0.2.77', states: ['failed'] },
  ],
];

describe('neighbours of `ip -json -details neighbour show`', () => {
  it('are those of the captured node', () => {
    const neighbours = valueOf(readNeighbours(capturedText('worker-a', 'ip-neighbour.json'), 'ip-neighbour.json'));
    const printed = JSON.parse(capturedText('worker-a', 'ip-neighbour.json')) as readonly unknown[];
    expect(neighbours).to.have.length(printed.length);
  });

  for (const [command, printed, neighbour] of examples) {
    it(`are read from the output of: ${command}`, () => {
      expect(valueOf(readNeighbours(`[${printed}]`, 'ip-neighbour.json'))).to.deep.equal([neighbour]);
    });
  }

  it('are empty for an empty file and for empty objects', () => {
    expect(valueOf(readNeighbours('', 'ip-neighbour.json'))).to.deep.equal([]);
    expect(valueOf(readNeighbours('[{},{}]', 'ip-neighbour.json'))).to.deep.equal([]);
  });

  const problems: readonly (readonly [what: string, entry: object, line: string])[] = [
    ['no device', { dst: '192.0.2.61' }, '[0].dev: expected a value, found nothing'],
    ['no address', { dev: 'eth0' }, '[0].dst: expected a value, found nothing'],
    [
      'a state that is not a list',
      { dst: 'a', dev: 'b', state: 'STALE' },
      '[0].state: expected a list, found string "STALE"',
    ],
    [
      'a MAC address that is not a string',
      { dst: 'a', dev: 'b', lladdr: 7 },
      '[0].lladdr: expected a string, found number 7',
    ],
  ];
  for (const [what, entry, line] of problems) {
    it(`are invalid with ${what}`, () => {
      expect(problemLines(readNeighbours(JSON.stringify([entry]), 'ip-neighbour.json'))).to.deep.equal([
        `ip-neighbour.json: ${line}`,
      ]);
    });
  }
});
