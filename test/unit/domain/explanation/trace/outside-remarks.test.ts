import { expect } from 'chai';
import type { Service } from '../../../../../src/domain/api/service.ts';
import type {
  NodeServices,
  ServiceHere,
} from '../../../../../src/domain/explanation/trace/node-services/node-services.ts';
import { outsideRemarks } from '../../../../../src/domain/explanation/trace/node-services/outside-remarks.ts';
import { outsidePorts } from '../../../../../src/domain/services/exposed-ports.ts';
import type { ServedOutside, WayOfNetwork } from '../../../../../src/domain/services/served-outside.ts';
import type { ServiceScope } from '../../../../../src/domain/services/service-scope.ts';
import { service } from '../../brief-services.ts';
import { blueWay, surroundings } from '../../services/served-scene.ts';

const found = surroundings().networkOf('blue');
if (found.kind !== 'ours') throw new Error('not ours');
const served: ServiceScope = { kind: 'served', network: found.network, networkId: 7 };

const given: Service = service('web', 'blue', {
  type: 'LoadBalancer',
  ports: [{ port: 80, nodePort: 30_080 }],
  ingress: [{ ip: '203.0.113.5' }],
});

/** The Service as it asks for its address, and does not get it. */
function asking(way: WayOfNetwork): ServedOutside {
  const addresses = [{ address: '203.0.113.5', family: 4, source: 'load-balancer' }] as const;
  return { way, link: 'link', addresses, ports: outsidePorts(given, addresses, {}) };
}

const here = (brief: Partial<ServiceHere>): ServiceHere => ({
  key: 'blue/web',
  service: given,
  scope: served,
  exposed: 'none',
  balancers: [],
  ...brief,
});

function remarks(all: readonly ServiceHere[], destination = '203.0.113.5', port = 80): readonly string[] {
  const services: NodeServices = { all, flows: [], ways: [] };
  const ports = { source: 40_000, destination: port };
  const packet = { protocol: 'tcp', source: '198.51.100.10', destination, ports };
  const place = { networkName: 'cluster_udn_blue', nodeName: 'a', uplinkAddresses: ['192.0.2.6'] };
  return outsideRemarks({ packet, services, ...place });
}

describe('the remarks of Services about a packet from the wire', () => {
  const cases: readonly (readonly [title: string, brief: Partial<ServiceHere>, remark: string])[] = [
    [
      'its network has no uplink',
      { outside: asking('none') },
      'Service/blue/web asks for this port, but ClusterUserDefinedNetwork/blue has no uplink on a',
    ],
    [
      'its network is held',
      { outside: asking('unknown'), exposed: 'undecided' },
      'Service/blue/web asks for this port, but how it is reached on a stays as it is, which is not known here',
    ],
    [
      'nobody is known to have the port',
      { outside: asking(blueWay) },
      'Service/blue/web asks for this port, but another Service is older and has it',
    ],
    [
      'the flow that leads there is missing',
      { outside: asking(blueWay), exposed: { way: blueWay, ports: asking(blueWay).ports } },
      'Service/blue/web has this port',
    ],
    [
      'it is of another proxy',
      { scope: { kind: 'other-proxy', proxy: 'mine' } },
      'Service/blue/web asks for 203.0.113.5: the Service is left to proxy mine',
    ],
  ];
  for (const [title, brief, remark] of cases)
    it(`says it where ${title}`, () => {
      expect(remarks([here(brief)])).to.deep.equal([remark]);
    });

  it('are none where no Service has anything to do with it', () => {
    expect(remarks([here({ outside: asking('none') })], '203.0.113.9')).to.deep.equal([]);
    expect(remarks([here({ scope: { kind: 'default-network' } })], '203.0.113.9')).to.deep.equal([]);
  });

  it('name the Service of a node port at the address of the uplink alone', () => {
    expect(remarks([here({ outside: asking('none') })], '203.0.113.9', 30_080)).to.deep.equal([]);
    expect(remarks([here({ outside: asking('unknown'), exposed: 'undecided' })], '192.0.2.6', 30_080)).to.deep.equal([
      'it is the node port of Service/blue/web, but how it is reached on a stays as it is, which is not known here',
    ]);
    expect(remarks([here({ outside: asking('none') })], '192.0.2.6', 30_080)).to.deep.equal([
      'it is the node port of Service/blue/web, whose network ClusterUserDefinedNetwork/blue has no uplink with such an address on a',
    ]);
  });
});
