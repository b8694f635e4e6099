import { expect } from 'chai';
import { checkObject, checkWholeObject } from '../../../../src/adapters/validation/check-object.ts';
import { network } from '../manifests/example-objects.ts';

const tenant = { apiVersion: 'k8s.ovn.org/v1', kind: 'UserDefinedNetwork', metadata: { namespace: 'demo', name: 'a' } };

const ofTenant = (spec: unknown) =>
  checkWholeObject('userDefinedNetworks', { ...tenant, spec }).map(({ path, message }) => `${path}: ${message}`);

const ofCluster = (spec: Readonly<Record<string, unknown>>) =>
  checkWholeObject('clusterUserDefinedNetworks', network('a', { uplinks: undefined, ...spec })).map(
    ({ path, message }) => `${path}: ${message}`,
  );

const subnets = ['10.0.0.0/16'];
const flat = { topology: 'Layer2', role: 'Primary', subnets };

describe('fields of a topology that stand beside it', () => {
  for (const { name, spec, findings } of [
    {
      name: 'belong into the part of the topology',
      spec: flat,
      findings: ['spec: fields of topology Layer2 belong below spec.layer2: role, subnets'],
    },
    {
      name: 'may be called otherwise there',
      spec: { ...flat, ipamLifecycle: 'Persistent' },
      findings: [
        'spec: fields of topology Layer2 belong below spec.layer2: role, subnets, ipamLifecycle as ipam.lifecycle',
      ],
    },
    {
      name: 'may be unknown there',
      spec: { ...flat, excludeSubnets: ['10.0.0.0/26'], ipam: { lifecycle: 'Persistent' } },
      findings: [
        'spec: fields of topology Layer2 belong below spec.layer2: role, subnets, ipam; excludeSubnets is not supported',
      ],
    },
    {
      name: 'may be one beside others that are in their place',
      spec: { topology: 'Layer2', layer2: { role: 'Primary', subnets }, mtu: 9000 },
      findings: ['spec: fields of topology Layer2 belong below spec.layer2: mtu'],
    },
    {
      name: 'do not replace what is in its place',
      spec: {
        topology: 'Layer2',
        layer2: { role: 'Primary', subnets, ipam: { lifecycle: 'Persistent' } },
        role: 'None',
        ipamLifecycle: 'None',
      },
      findings: ['spec: fields of topology Layer2 belong below spec.layer2: role, ipamLifecycle as ipam.lifecycle'],
    },
    {
      name: 'are not supported in a network that is right without them',
      spec: { topology: 'Layer2', layer2: { role: 'Primary', subnets }, excludeSubnets: [] },
      findings: ['spec: excludeSubnets is not supported'],
    },
    {
      name: 'are checked where they belong',
      spec: { ...flat, mtu: 70_000, subnets: ['10.0.0.0'], ipam: { lifecycle: 'Short' }, colour: 'blue' },
      findings: [
        'spec: fields of topology Layer2 belong below spec.layer2: role, subnets, mtu, ipam',
        'spec.layer2.mtu: expected at most 65536, found number 70000',
        'spec.layer2.ipam.lifecycle: expected one of Persistent, found string "Short"',
        'spec.colour: unknown field, which the API server drops',
        'spec.layer2.subnets[0]: must be a subnet such as 10.20.0.0/16',
      ],
    },
    {
      name: 'are checked where they belong, where that is no object',
      spec: { ...flat, layer2: 5 },
      findings: [
        'spec: fields of topology Layer2 belong below spec.layer2: role, subnets',
        'spec.layer2: expected an object, found number 5',
      ],
    },
    {
      name: 'are checked where they belong, with a field of another type beside that they become a part of',
      spec: { ...flat, ipam: 5, ipamLifecycle: 'Persistent' },
      findings: [
        'spec: fields of topology Layer2 belong below spec.layer2: role, subnets, ipam, ipamLifecycle as ipam.lifecycle',
        'spec.layer2.ipam: expected an object, found number 5',
      ],
    },
    {
      name: 'have another form in Layer3',
      spec: { topology: 'Layer3', role: 'Primary', subnets: ['10.0.0.0/16/24'], ipamLifecycle: 'Persistent' },
      findings: [
        'spec: fields of topology Layer3 belong below spec.layer3: role, subnets as subnets[].cidr and subnets[].hostSubnet; ipamLifecycle is not supported',
        'spec.layer3.subnets[0]: expected an object, found string "10.0.0.0/16/24"',
      ],
    },
    {
      name: 'are not supported with their topology',
      spec: { topology: 'Localnet', role: 'Secondary', subnets, excludeSubnets: subnets },
      findings: [
        'spec: fields of topology Localnet belong below spec.localnet, which is not supported',
        'spec.topology: expected one of Layer2, Layer3, found string "Localnet"',
      ],
    },
    {
      name: 'belong nowhere without a known topology',
      spec: { topology: 'Layer4', role: 'Primary' },
      findings: [
        'spec.topology: expected one of Layer2, Layer3, found string "Layer4"',
        'spec.role: unknown field, which the API server drops',
      ],
    },
    { name: 'are none where there is no spec', spec: 5, findings: ['spec: expected an object, found number 5'] },
  ]) {
    it(`${name}, in a UserDefinedNetwork`, () => {
      expect(ofTenant(spec)).to.deep.equal(findings);
    });
  }

  for (const { name, spec, findings } of [
    {
      name: 'belong into the part of the topology',
      spec: { network: flat },
      findings: ['spec.network: fields of topology Layer2 belong below spec.network.layer2: role, subnets'],
    },
    {
      name: 'belong there from a template too, which is called network',
      spec: { network: undefined, template: { ...flat, mtu: 70_000 } },
      findings: [
        'spec.template: the field is called spec.network; fields of topology Layer2 belong below spec.network.layer2: role, subnets, mtu',
        'spec.network.layer2.mtu: expected at most 65536, found number 70000',
      ],
    },
    {
      name: 'are in their place in a template, which is called network',
      spec: { network: undefined, template: { topology: 'Layer2', layer2: { role: 'Primary', subnets } } },
      findings: ['spec.template: the field is called spec.network'],
    },
    {
      name: 'are not looked for in a template beside a network',
      spec: { template: flat },
      findings: ['spec.template: unknown field, which the API server drops'],
    },
    {
      name: 'are none where there is no network',
      spec: { network: undefined },
      findings: ['spec.network: expected a value, found nothing'],
    },
  ]) {
    it(`${name}, in a ClusterUserDefinedNetwork`, () => {
      expect(ofCluster(spec)).to.deep.equal(findings);
    });
  }

  describe('in a network of which a part is read', () => {
    const partOf = (spec: Readonly<Record<string, unknown>>) =>
      checkObject('clusterUserDefinedNetworks', network('a', { uplinks: undefined, ...spec })).map(
        ({ path, message, severity }) => `${severity}: ${path}: ${message}`,
      );
    const hint = 'fields of topology Layer2 belong below spec.network.layer2: role, subnets';

    it('are named where the network cannot be read for them', () => {
      expect(partOf({ network: undefined, template: flat })).to.deep.equal([
        `error: spec.template: the field is called spec.network; ${hint}`,
      ]);
    });

    it('are named beside what is wrong elsewhere', () => {
      expect(partOf({ network: flat, namespaceSelector: 5 })).to.deep.equal([
        `error: spec.network: ${hint}`,
        'error: spec.namespaceSelector: expected an object, found number 5',
      ]);
    });

    it('are a warning where the network is read without them', () => {
      expect(partOf({ network: flat })).to.deep.equal([`warning: spec.network: ${hint}`]);
      expect(checkObject('userDefinedNetworks', { ...tenant, spec: flat })).to.deep.equal([
        { path: 'spec', message: hint.replace('spec.network', 'spec'), severity: 'warning' },
      ]);
    });
  });
});
