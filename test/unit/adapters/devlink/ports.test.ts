import { expect } from 'chai';
import { readDevlinkPorts } from '../../../../src/adapters/devlink/ports.ts';
import type { DevlinkPort } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { problemLines, valueOf } from '../readings.ts';

function read(ports: unknown) {
  return readDevlinkPorts(JSON.stringify({ port: ports }), 'devlink-port.json');
}

const representor = {
  type: 'eth',
  netdev: 'pf0hpf',
  flavour: 'pcipf',
  controller: 1,
  pfnum: 0,
  function: { hw_addr: '02:00:00:00:00:01' },
};

describe('ports of `devlink port show -j`', () => {
  it('are representors with the MAC of the function behind them, in name order', () => {
    const ports = {
      'pci/0000:03:00.0/1': representor,
      'pci/0000:03:00.0/65535': { type: 'eth', netdev: 'p0', flavour: 'physical', port: 0 },
    };
    expect(valueOf(read(ports))).to.deep.equal([
      { device: 'p0', flavour: 'physical' },
      { device: 'pf0hpf', flavour: 'pcipf', functionMacAddress: '02:00:00:00:00:01' },
    ]);
  });

  const unknown: DevlinkPort = { device: 'pf0hpf', flavour: 'pcipf' };
  const examples: readonly (readonly [what: string, port: object, expected: readonly DevlinkPort[]])[] = [
    ['have no MAC if it is all zeros', { ...representor, function: { hw_addr: '00:00:00:00:00:00' } }, [unknown]],
    ['have no MAC if the driver reports none', { ...representor, function: { state: 'active' } }, [unknown]],
    ['have no MAC without a function', { ...representor, function: undefined }, [unknown]],
    ['are ignored without a network device', { ...representor, netdev: undefined }, []],
    ['are ignored without a flavour', { ...representor, flavour: undefined }, []],
    ['may have an unknown flavour', { netdev: 'w0', flavour: 'warp' }, [{ device: 'w0', flavour: 'warp' }]],
  ];
  for (const [what, port, expected] of examples) {
    it(what, () => {
      expect(valueOf(read({ 'pci/0000:03:00.0/1': port }))).to.deep.equal(expected);
    });
  }

  it('may be none', () => {
    for (const text of ['', '{}', '{"port":{}}'])
      expect(valueOf(readDevlinkPorts(text, 'devlink-port.json'))).to.deep.equal([]);
  });

  const problems: readonly (readonly [what: string, ports: unknown, line: string])[] = [
    ['ports that are not an object', [], 'port: expected an object, found a list of 0 items'],
    [
      'a device that is not a string',
      { 'pci/0000:03:00.0/1': { netdev: 7 } },
      'port["pci/0000:03:00.0/1"].netdev: expected a string, found number 7',
    ],
    [
      'a flavour that is not a string',
      { 'auxiliary/x/1': { flavour: [] } },
      'port["auxiliary/x/1"].flavour: expected a string, found a list of 0 items',
    ],
    [
      'a MAC that is not a string',
      { 'a/b/1': { function: { hw_addr: 2 } } },
      'port["a/b/1"].function.hw_addr: expected a string, found number 2',
    ],
  ];
  for (const [what, ports, line] of problems) {
    it(`are invalid with ${what}`, () => {
      expect(problemLines(read(ports))).to.deep.equal([`devlink-port.json: ${line}`]);
    });
  }

  it('are invalid if the file is truncated', () => {
    expect(problemLines(readDevlinkPorts('{"port":', 'devlink-port.json'))).to.deep.equal([
      'devlink-port.json: ends at line 1, column 9, where a value was expected: it is truncated or half-written',
    ]);
  });
});
