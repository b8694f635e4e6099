import { expect } from 'chai';
import type { FrrConfiguration, RouteAdvertisements } from '../../../../src/domain/index.ts';
import {
  advertisementsByNetwork,
  effectiveOn,
  frrConfigurationName,
} from '../../../../src/domain/routing-domain/advertisement.ts';
import { labelIndex } from '../../../../src/domain/selection/label-index.ts';
import {
  frrConfiguration,
  labelled,
  readNetwork,
  node,
  ofNetworks,
  routeAdvertisements,
  unclearSelector,
} from '../brief-objects.ts';

const networks = labelIndex(
  [readNetwork('blue', { metadata: { labels: { tenant: 'x' } } }), readNetwork('red')],
  ({ labels }) => labels,
);

function byNetwork(objects: readonly RouteAdvertisements[], configurations: readonly FrrConfiguration[] = []) {
  return advertisementsByNetwork(objects, networks, labelIndex(configurations));
}

/** Names of the RouteAdvertisements that speak of each network. */
function speaking(...objects: readonly RouteAdvertisements[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    [...byNetwork(objects)].map(([name, list]) => [
      name,
      list.map(({ routeAdvertisements: { metadata } }) => metadata.name),
    ]),
  );
}

describe('RouteAdvertisements select a network', () => {
  it('by their selector, in the order of names', () => {
    expect(speaking(routeAdvertisements('b'), routeAdvertisements('a'))).to.deep.equal({
      blue: ['a', 'b'],
      red: ['a', 'b'],
    });
    expect(speaking(routeAdvertisements('a', { networkSelectors: ofNetworks('red') }))).to.deep.equal({ red: ['a'] });
  });

  it('by its labels, including its name', () => {
    const [selector] = ofNetworks('blue');
    const byTenant = { ...selector!, clusterUserDefinedNetworkSelector: { networkSelector: labelled('tenant', 'x') } };
    expect(speaking(routeAdvertisements('a', { networkSelectors: [byTenant] }))).to.deep.equal({ blue: ['a'] });
  });

  it('once, even by several selectors', () => {
    expect(speaking(routeAdvertisements('a', { networkSelectors: ofNetworks('blue', 'blue') }))).to.deep.equal({
      blue: ['a'],
    });
  });

  it('not if they advertise no pod networks', () => {
    const { advertisements: _pods, ...spec } = routeAdvertisements('a').spec;
    expect(speaking(routeAdvertisements('a', { advertisements: ['EgressIP'] }))).to.deep.equal({});
    expect(speaking({ ...routeAdvertisements('a'), spec })).to.deep.equal({});
    expect(speaking(routeAdvertisements('a', { advertisements: ['EgressIP', 'PodNetwork'] }))).to.have.keys(
      'blue',
      'red',
    );
  });

  it('not by another kind of selector', () => {
    const networkSelectors = ofNetworks('blue').map((selector) => ({
      ...selector,
      networkSelectionType: 'PrimaryUserDefinedNetworks',
    }));
    expect(speaking(routeAdvertisements('a', { networkSelectors }))).to.deep.equal({});
  });

  it('not without a selector, or if the selector matches nothing', () => {
    const { networkSelectors: _all, ...spec } = routeAdvertisements('a').spec;
    expect(speaking({ ...routeAdvertisements('a'), spec })).to.deep.equal({});
    const unclear = { clusterUserDefinedNetworkSelector: { networkSelector: unclearSelector } };
    const networkSelectors = [{ networkSelectionType: 'ClusterUserDefinedNetworks', ...unclear }];
    expect(speaking(routeAdvertisements('a', { networkSelectors }))).to.deep.equal({});
  });

  it('of all networks if they name the kind and no selector', () => {
    const networkSelectors = [{ networkSelectionType: 'ClusterUserDefinedNetworks' }];
    expect(speaking(routeAdvertisements('a', { networkSelectors }))).to.have.keys('blue', 'red');
  });
});

describe('RouteAdvertisements apply to a node', () => {
  const rackA = node('a', { labels: { rack: 'a' } });
  const bareNode = node('bare');

  /** The RouteAdvertisements that count for network blue on a node: each with the FRRConfigurations by which it does. */
  function counting(
    onNode: typeof bareNode,
    objects: readonly RouteAdvertisements[],
    configurations: readonly FrrConfiguration[],
  ): Readonly<Record<string, readonly string[]>> {
    const advertisements = byNetwork(objects, configurations).get('blue') ?? [];
    return Object.fromEntries(
      effectiveOn(onNode, advertisements).map(({ routeAdvertisements: { metadata }, frrConfigurations }) => [
        metadata.name,
        frrConfigurations.map(frrConfigurationName),
      ]),
    );
  }

  it('by every FRRConfiguration that they select and that applies there, in the order of namespace and name', () => {
    const configurations = [
      frrConfiguration('z', undefined, { namespace: 'a' }),
      frrConfiguration('a', { nodeSelector: {} }, { namespace: 'b' }),
      frrConfiguration('b', { nodeSelector: labelled('rack', 'a') }, { namespace: 'b' }),
    ];
    const objects = [routeAdvertisements('ra')];
    expect(counting(bareNode, objects, configurations)).to.deep.equal({ ra: ['a/z', 'b/a'] });
    expect(counting(rackA, objects, configurations)).to.deep.equal({ ra: ['a/z', 'b/a', 'b/b'] });
  });

  it('by an FRRConfiguration without a nodeSelector, which applies everywhere', () => {
    const { spec: _none, ...bare } = frrConfiguration('f');
    for (const configuration of [bare, frrConfiguration('f', {})]) {
      expect(counting(bareNode, [routeAdvertisements('ra')], [configuration])).to.have.keys('ra');
    }
  });

  it('by those that match their selector', () => {
    const configurations = [frrConfiguration('one', {}, { labels: { use: 'x' } }), frrConfiguration('two')];
    expect(
      counting(
        bareNode,
        [routeAdvertisements('ra', { frrConfigurationSelector: labelled('use', 'x') })],
        configurations,
      ),
    ).to.deep.equal({ ra: ['frr/one'] });
  });

  it('not by generated ones', () => {
    expect(counting(bareNode, [routeAdvertisements('ra')], [frrConfiguration('ovnk-generated-1')])).to.deep.equal({});
    expect(counting(bareNode, [routeAdvertisements('ra')], [frrConfiguration('my-ovnk-generated-1')])).to.have.keys(
      'ra',
    );
  });

  it('not without one', () => {
    expect(counting(bareNode, [routeAdvertisements('ra')], [])).to.deep.equal({});
    expect(
      counting(bareNode, [routeAdvertisements('ra')], [frrConfiguration('f', { nodeSelector: unclearSelector })]),
    ).to.deep.equal({});
    expect(
      counting(
        bareNode,
        [routeAdvertisements('ra', { frrConfigurationSelector: unclearSelector })],
        [frrConfiguration('f')],
      ),
    ).to.deep.equal({});
  });

  it('if their nodeSelector matches it', () => {
    const objects = [
      routeAdvertisements('of-rack', { nodeSelector: labelled('rack', 'a') }),
      routeAdvertisements('unclear', { nodeSelector: unclearSelector }),
      routeAdvertisements('all'),
    ];
    expect(counting(rackA, objects, [frrConfiguration('f')])).to.have.keys('of-rack', 'all');
    expect(counting(bareNode, objects, [frrConfiguration('f')])).to.have.keys('all');
  });

  it('whether or not they are accepted', () => {
    const status = { conditions: [{ type: 'Accepted', status: 'False' as const, reason: 'X' }] };
    expect(counting(bareNode, [routeAdvertisements('ra', {}, status)], [frrConfiguration('f')])).to.have.keys('ra');
  });
});

describe('the name of an FRRConfiguration', () => {
  it('starts with its namespace', () => {
    expect(frrConfigurationName(frrConfiguration('f'))).to.equal('frr/f');
    const { namespace: _frr, ...metadata } = frrConfiguration('f').metadata;
    expect(frrConfigurationName({ ...frrConfiguration('f'), metadata })).to.equal('default/f');
  });
});
