import { expect } from 'chai';
import { putRuleset } from '../../../../src/domain/datapath/nftables/ruleset.ts';
import { interfaceLock } from '../../../../src/domain/pods/interface-lock.ts';
import { LOCK_TABLE, lockChains } from '../../../../src/domain/pods/lock-chains.ts';

const surroundings = {
  nodeAddresses: ['fd01::1', '10.1.0.2', '10.1.0.1', '10.1.0.1'],
  services: [
    { protocol: 'tcp', address: '10.96.0.10', port: 53 },
    { protocol: 'udp', address: '10.96.0.10', port: 53 },
    { protocol: 'tcp', address: '10.96.0.1', port: 443 },
    { protocol: 'tcp', address: 'fd96::1', port: 6443 },
  ],
} as const;

describe('interfaceLock', () => {
  it('lets pass DNS, the Kubernetes API and answers to probes, and what the own node sends', () => {
    const resolution = { kind: 'address-resolution' };
    const services = (isAnswer: boolean) => [
      { kind: 'service', family: 4, protocol: 'tcp', addresses: ['10.96.0.10'], port: 53, isAnswer },
      { kind: 'service', family: 4, protocol: 'tcp', addresses: ['10.96.0.1'], port: 443, isAnswer },
      { kind: 'service', family: 6, protocol: 'tcp', addresses: ['fd96::1'], port: 6443, isAnswer },
      { kind: 'service', family: 4, protocol: 'udp', addresses: ['10.96.0.10'], port: 53, isAnswer },
    ];
    const node = [
      { family: 4, addresses: ['10.1.0.1', '10.1.0.2'] },
      { family: 6, addresses: ['fd01::1'] },
    ];
    expect(interfaceLock([9090, 8080, 9090], surroundings)).to.deep.equal({
      'from-pod': [
        resolution,
        ...services(false),
        ...node.map((each) => ({ kind: 'probe-answer', ...each, ports: [8080, 9090] })),
      ],
      'to-pod': [resolution, ...node.map((each) => ({ kind: 'any', ...each })), ...services(true)],
    });
  });

  it('lets nothing pass to the own node where nothing is probed', () => {
    const kinds = interfaceLock([], surroundings)['from-pod'].map(({ kind }) => kind);
    expect(kinds).not.to.include('probe-answer');
  });

  it('lets everybody reach the ports that the pod opens', () => {
    const open = { tcp: [80, 443], sctp: [5000] };
    const rules = [
      { kind: 'open-ports', protocol: 'tcp', ports: [80, 443] },
      { kind: 'open-ports', protocol: 'sctp', ports: [5000] },
    ];
    const [closed, opened] = [interfaceLock([8080], surroundings), interfaceLock([8080], surroundings, open)];
    for (const direction of ['from-pod', 'to-pod'] as const)
      expect(opened[direction]).to.deep.equal([...closed[direction], ...rules]);
  });

  it('lets neighbours find each other alone where nothing is known', () => {
    const lock = interfaceLock([8080], { nodeAddresses: [], services: [] });
    expect(lock).to.deep.equal({
      'from-pod': [{ kind: 'address-resolution' }],
      'to-pod': [{ kind: 'address-resolution' }],
    });
  });
});

describe('the ruleset of a lock', () => {
  it('has the name of an interface as data, whatever its characters', () => {
    const name = 'a";{}flush';
    const { nftables } = JSON.parse(
      putRuleset(LOCK_TABLE, lockChains({ interface: { name, index: 7 }, lock: interfaceLock([], surroundings) })),
    ) as {
      readonly nftables: readonly {
        readonly add?: { readonly chain?: { readonly name: string; readonly dev?: string } };
      }[];
    };
    const chains = nftables.flatMap(({ add }) => add?.chain ?? []);
    expect(chains.map(({ name: chain, dev }) => [chain, dev])).to.deep.equal([
      ['from-pod-7', name],
      ['to-pod-7', name],
    ]);
  });
});
