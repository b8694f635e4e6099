import { expect } from 'chai';
import type { ClusterSnapshot, Pod } from '../../../../../src/domain/index.ts';
import { viewCluster } from '../../../../../src/domain/plan/view/cluster-view.ts';
import { withObjectAddresses } from '../../../../../src/domain/explanation/trace/packet-text/pod-ends.ts';
import { providedNetwork } from '../../../../../src/domain/explanation/trace/trace-pods.ts';
import { namespace, pod } from '../../brief-objects.ts';
import { service } from '../../brief-services.ts';
import { withNetwork } from '../provided-cluster.ts';
import { api, near, podCluster, provided, web } from './pod-situation.ts';

const usual = podCluster([web, near, api]);

function read(packet: string, cluster: ClusterSnapshot = usual): string {
  const network = providedNetwork('blue', viewCluster(cluster, provided));
  if (network === undefined) throw new Error('not provided');
  const reading = withObjectAddresses(packet, network, cluster);
  return 'problem' in reading ? `problem: ${reading.problem}` : reading.text;
}

const withService = {
  ...usual,
  services: [service('shop', 'demo'), service('names', 'demo', { clusterIPs: ['None'] })],
};

const isApi = ({ metadata }: Pod) => metadata.name === 'api';

const { networkAttachmentDefinitions: inDemo } = withNetwork();

const second = namespace('other', { tenant: 'blue', 'k8s.ovn.org/primary-user-defined-network': '' });

describe('pods as ends of a packet', () => {
  const cases: readonly (readonly [packet: string, expected: string, cluster?: ClusterSnapshot])[] = [
    ['tcp pod/web > pod/api:8080', 'tcp 10.20.0.5:40000 > 10.20.1.6:8080'],
    ['udp pod/demo/web:1000 > pod/demo/api:53', 'udp 10.20.0.5:1000 > 10.20.1.6:53'],
    ['icmp pod/web > pod/api', 'icmp 10.20.0.5 > 10.20.1.6'],
    ['icmp6 pod/web > pod/api', 'icmp6 [fd20::5] > [fd20:0:0:1::6]'],
    ['tcp pod/web > [fd20:0:0:1::6]:80', 'tcp [fd20::5]:40000 > [fd20:0:0:1::6]:80'],
    ['tcp pod/web > 192.0.2.1:80', 'tcp 10.20.0.5:40000 > 192.0.2.1:80'],
    ['tcp 10.20.0.5:1 > pod/api:80', 'tcp 10.20.0.5:1 > 10.20.1.6:80'],
    ['tcp 10.20.0.5:1 > 10.20.1.6:80', 'tcp 10.20.0.5:1 > 10.20.1.6:80'],
    ['tcp', 'tcp'],
    ['icmp pod/web > pod/gone', 'problem: the cluster objects have no pod demo/gone'],
    ['tcp pod/web > service/shop:80', 'tcp 10.20.0.5:40000 > 10.96.0.10:80', withService],
    ['tcp pod/web > service/demo/shop:80', 'tcp 10.20.0.5:40000 > 10.96.0.10:80', withService],
    ['tcp pod/web > service/shop', 'problem: service/shop: expected a port, such as service/shop:8080', withService],
    ['tcp pod/web > service/gone:80', 'problem: the cluster objects have no Service demo/gone'],
    ['tcp pod/web > service/names:80', 'problem: Service demo/names has no ClusterIP', withService],
    [
      'tcp service/shop:80 > pod/web:80',
      'problem: service/shop:80: expected a pod or an address, as no Service sends packets',
      withService,
    ],
    ['tcp pod/web > pod/api', 'problem: pod/api: expected a port, such as pod/api:8080'],
    ['icmp pod/web > pod/api:80', 'problem: pod/api:80: expected pod/api, as ICMP has no ports'],
    [
      'icmp pod/web > pod/api',
      'problem: pod demo/api has ended: its phase is Succeeded',
      {
        ...usual,
        pods: usual.pods.map((each) => ({ ...each, ...(isApi(each) && { status: { phase: 'Succeeded' } }) })),
      },
    ],
    [
      'icmp pod/a/b/c > pod/api',
      'problem: "pod/a/b/c": expected pod/NAME or pod/NAMESPACE/NAME, with :PORT unless it is ICMP',
    ],
    [
      'icmp pod/web > pod/api',
      'problem: pod/web: expected pod/NAMESPACE/NAME, as namespaces demo, other have network blue',
      { ...usual, namespaces: [...usual.namespaces, second] },
    ],
    [
      'icmp pod/web > pod/api',
      'icmp 10.20.0.5 > 10.20.1.6',
      // It selects another namespace too, which does not have it.
      { ...usual, namespaces: [...usual.namespaces, second], networkAttachmentDefinitions: inDemo },
    ],
    [
      'icmp pod/web > pod/api',
      'problem: pod/web: expected pod/NAMESPACE/NAME, as no namespace has network blue',
      { ...usual, namespaces: [] },
    ],
    [
      'icmp pod/web > pod/red/stranger',
      'problem: pod red/stranger has no address in network blue; ovn-uplinks explain pod/red/stranger says why',
      { ...usual, pods: [...usual.pods, pod('stranger', 'red', 'b')] },
    ],
    [
      'tcp pod/web > pod/six:80',
      'problem: pod/web and pod/six:80 have no address family in common',
      podCluster([
        { ...web, addresses: ['10.20.0.5'] },
        { name: 'six', node: 'b', addresses: ['fd20:0:0:1::6'] },
      ]),
    ],
  ];
  for (const [packet, expected, cluster] of cases) {
    it(`${packet}: ${expected}`, () => {
      expect(read(packet, cluster)).to.equal(expected);
    });
  }
});
