import { expect } from 'chai';
import { semanticsOf, type Operation } from '../../../../../src/domain/index.ts';
import type { DisplacedEntity } from '../../../../../src/domain/snapshot/ledger.ts';
import { address, hostAddress, hostNeighbour, hostNextHopObject, hostProxy, hostRoute } from '../host-entities.ts';
import { allSamples, nodeBefore, samples } from './samples.ts';
import type { SingleOperation } from '../../../../../src/domain/entities/operations/operation.ts';
import { words } from './expected-words.ts';

for (const [what, { operation, node }] of allSamples) {
  describe(`operation: ${what}`, () => {
    const semantics = semanticsOf(operation);
    const [name, command, summary, disruption, mark] = words[what] ?? [];

    it(`is ${name}: ${mark} ${summary}, by ${command}, and disturbs ${disruption}`, () => {
      const { program, arguments: vector } = semantics.command(operation, node);
      // The transaction of a mapping has tests of its own.
      expect([program, ...vector].slice(0, program === 'ovsdb-client' ? 2 : undefined)).to.deep.equal(
        command?.split(' '),
      );
      expect(semantics.name).to.equal(name);
      expect(semantics.summary(operation)).to.equal(summary);
      expect(semantics.disruption(operation)).to.equal(disruption);
      expect(semantics.mark).to.equal(mark);
    });

    it('is plain data', () => {
      expect(JSON.parse(JSON.stringify(operation))).to.deep.equal(operation);
    });
  });
}

describe('an operation with an unusual name', () => {
  for (const name of ['a#b', '-force', 'été', 'eth0.100', 'a;b', '$(x)', "a'b"]) {
    it(`has ${name} as one argument, unchanged`, () => {
      const renamed = (text: string) =>
        JSON.parse(JSON.stringify(text).replaceAll(/br-blue|(?<!udn_)blue/g, name)) as string;
      for (const { operation, node } of allSamples.values()) {
        if (!['hostNetwork', 'flowTables'].includes(semanticsOf(operation).port)) continue;
        const change = (_key: string, value: unknown) => (typeof value === 'string' ? renamed(value) : value);
        const odd = JSON.parse(JSON.stringify(operation), change) as SingleOperation;
        const usual = semanticsOf(operation).command(operation, node);
        const command = semanticsOf(odd).command(odd, node);
        expect(command.arguments).to.deep.equal(usual.arguments.map(renamed));
        expect(command.input).to.equal(usual.input && renamed(usual.input));
      }
    });
  }

  it('has a setting by its name for sysctl, as one argument', () => {
    const name = 'net.ipv4.conf.eth0/100.rp_filter';
    const operation: SingleOperation = {
      verb: 'add',
      networks: [],
      entity: { kind: 'sysctl', device: 'eth0.100', name, value: '2' },
    };
    expect(semanticsOf(operation).command(operation, nodeBefore()).arguments).to.deep.equal(['-w', `${name}=2`]);
  });

  it('has a bridge as data of its transaction', () => {
    const { operation, node } = samples['bridge-mapping'].add;
    const odd: SingleOperation = { ...operation, entity: { ...operation.entity, bridge: 'a"b\\#é' } };
    const [, transaction = ''] = semanticsOf(odd).command(odd, node).arguments;
    expect(JSON.parse(transaction)).to.have.nested.property(
      '[2].mutations[1][2][1][0][1]',
      'physnet:br-ex,cluster_udn_blue:a"b\\#é',
    );
  });
});

describe('the disruption of an operation', () => {
  const disturbs = (operation: Operation) => semanticsOf(operation).disruption(operation);
  const put = (entity: DisplacedEntity): Operation => ({
    verb: 'put-back',
    networks: [],
    device: 'br-blue',
    entity,
  });
  const add = (text: string, flags: readonly string[] = []): Operation => ({
    verb: 'add',
    networks: [],
    entity: { kind: 'address', device: 'blue', address: address(text, { flags }) },
  });

  it('is an IPv6 address while the kernel looks for duplicates, unless the address says `nodad`', () => {
    expect(disturbs(add('fd69::2/128'))).to.equal('address-detection');
    expect(disturbs(add('fd69::2/128', ['nodad']))).to.equal('none');
    expect(disturbs(add('169.254.0.2/32'))).to.equal('none');
    expect(disturbs(put(hostAddress('2001:db8:b::6/64')))).to.equal('address-detection');
    expect(disturbs(put(hostAddress('2001:db8:b::6/64', { flags: ['nodad'] })))).to.equal('none');
    expect(disturbs(put(hostAddress('192.0.2.6/24')))).to.equal('none');
  });

  it('is none if routes, neighbours and nexthop objects are restored', () => {
    const entities = [
      hostRoute('10.0.0.0/8'),
      hostNeighbour('192.0.2.9'),
      hostProxy('192.0.2.9'),
      hostNextHopObject(5),
    ];
    for (const entity of entities) {
      expect(disturbs(put(entity))).to.equal('none');
    }
  });
});
