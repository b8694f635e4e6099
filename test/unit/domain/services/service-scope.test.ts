import { expect } from 'chai';
import { PRIMARY_NETWORK_LABEL, SERVICE_PROXY_LABEL } from '../../../../src/domain/basics/conventions.ts';
import { clusterNetwork } from '../../../../src/domain/network/network.ts';
import { type NamespaceInput, networkOfNamespace } from '../../../../src/domain/services/namespace-network.ts';
import { lacksLabel, serviceScope } from '../../../../src/domain/services/service-scope.ts';
import { namespace, network } from '../brief-objects.ts';
import { service } from '../brief-services.ts';

const blue = clusterNetwork(network('blue'), { providedNetworks: 'all', egress: 'none' });
const ofTenant = namespace('blue', { tenant: 'blue', [PRIMARY_NETWORK_LABEL]: '' });

const found = (input: Partial<NamespaceInput> = {}) =>
  networkOfNamespace({
    namespace: ofTenant,
    networks: [blue],
    hasUnreadable: false,
    isThere: () => false,
    idOf: () => 7,
    ...input,
  });

describe('the network of the Services of a namespace', () => {
  const green = clusterNetwork(network('green', { namespaceSelector: { matchLabels: { tenant: 'blue' } } }), {
    providedNetworks: 'all',
    egress: 'none',
  });
  const former = clusterNetwork(network('former'), { providedNetworks: 'all', egress: 'none' });
  const deletedBlue = clusterNetwork(network('blue', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }), {
    providedNetworks: 'all',
    egress: 'none',
  });
  const evpn = network('blue', { network: { layer3: { role: 'Primary' }, transport: 'EVPN' } });
  for (const { where, input, expected } of [
    { where: 'a network of ours selects it', input: {}, expected: 'ours' },
    { where: 'that has no id yet', input: { idOf: () => undefined }, expected: 'ours' },
    { where: 'it does not ask for a primary network', input: { namespace: namespace('blue') }, expected: 'none' },
    { where: 'no network selects it', input: { networks: [] }, expected: 'none' },
    {
      where: 'a network that selected it is there for its pods',
      input: { namespace: namespace('blue', { [PRIMARY_NETWORK_LABEL]: '' }), isThere: () => true },
      expected: 'undecided left',
    },
    {
      where: 'a network that selects it is there for its pods, and the label for networks is gone',
      input: { namespace: namespace('blue', { tenant: 'blue' }), isThere: () => true },
      expected: 'undecided left',
    },
    {
      where: 'another network selects it than the one that is there for its pods',
      input: {
        networks: [blue, former],
        isThere: ({ key }) => key === former.key,
      },
      expected: 'undecided left',
    },
    {
      where: 'the network that selects it is there, and so is one that did',
      input: { networks: [blue, former], isThere: () => true },
      expected: 'ours',
    },
    {
      where: 'one of another implementation selects it, and one that is there for its pods did',
      input: {
        networks: [clusterNetwork(network('blue'), { providedNetworks: 'none', egress: 'none' }), former],
        isThere: ({ key }) => key === former.key,
      },
      expected: 'undecided left',
    },
    {
      where: 'another implementation provides the network',
      input: { networks: [clusterNetwork(network('blue'), { providedNetworks: 'none', egress: 'none' })] },
      expected: 'of-others',
    },
    {
      where: 'another implementation provides a network that we do not support',
      input: { networks: [clusterNetwork(evpn, { providedNetworks: 'none', egress: 'none' })] },
      expected: 'of-others',
    },
    {
      where: 'the network is not supported',
      input: { networks: [clusterNetwork(evpn, { providedNetworks: 'all', egress: 'none' })] },
      expected: 'undecided unsupported',
    },
    { where: 'the network is being deleted', input: { networks: [deletedBlue] }, expected: 'undecided being-deleted' },
    { where: 'two networks select it', input: { networks: [blue, green] }, expected: 'undecided several-networks' },
    {
      where: 'a network that cannot be read may select it',
      input: { networks: [], hasUnreadable: true },
      expected: 'undecided unreadable',
    },
    { where: 'it is not known', input: { namespace: undefined }, expected: 'undecided unreadable' },
  ] satisfies readonly { where: string; input: Partial<NamespaceInput>; expected: string }[])
    it(`is ${expected} where ${where}`, () => {
      const decided = found(input);
      expect([decided.kind, ...(decided.kind === 'undecided' ? [decided.why] : [])].join(' ')).to.equal(expected);
    });
});

describe('a Service', () => {
  const proxied = (proxy: string) => ({ labels: { [SERVICE_PROXY_LABEL]: proxy } });
  const ours = found();
  for (const { where, of = service('web', 'blue'), at = ours, expected, isToLabel } of [
    { where: 'in a network of ours', expected: 'served', isToLabel: true },
    { where: 'with the label', of: service('web', 'blue', proxied('ovn-uplinks')), expected: 'served' },
    { where: 'of another proxy', of: service('web', 'blue', proxied('example')), expected: 'other-proxy' },
    { where: 'with an empty label', of: service('web', 'blue', proxied('')), expected: 'other-proxy' },
    { where: 'in the default network', at: found({ networks: [] }), expected: 'default-network' },
    {
      where: 'in a network of others',
      at: found({ networks: [clusterNetwork(network('blue'), { providedNetworks: 'none', egress: 'none' })] }),
      expected: 'of-others',
    },
    {
      where: 'without an address',
      of: service('web', 'blue', { clusterIPs: ['None'] }),
      expected: 'without-address',
      isToLabel: true,
    },
    {
      where: 'that has none yet',
      of: service('web', 'blue', { clusterIPs: [] }),
      expected: 'without-address',
      isToLabel: true,
    },
    {
      where: 'for a name outside',
      of: service('web', 'blue', { type: 'ExternalName', clusterIPs: [] }),
      expected: 'without-address',
      isToLabel: true,
    },
    {
      where: 'for a name outside with a former address',
      of: service('web', 'blue', { type: 'ExternalName' }),
      expected: 'without-address',
      isToLabel: true,
    },
    {
      where: 'in a network without an id',
      at: found({ idOf: () => undefined }),
      expected: 'undecided',
      isToLabel: true,
    },
    { where: 'in a namespace that is not known', at: found({ namespace: undefined }), expected: 'undecided' },
    {
      where: 'that is being deleted',
      of: service('web', 'blue', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      expected: 'served',
      isToLabel: false,
    },
  ])
    it(`${where} is ${expected}${isToLabel === true ? ', and is labelled' : ''}`, () => {
      expect(serviceScope(of, at).kind).to.equal(expected);
      expect(lacksLabel(of, at)).to.equal(isToLabel ?? false);
    });
});
