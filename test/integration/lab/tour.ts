import { parseArgs } from 'node:util';
import { Machine } from './machine.ts';
import { keepingTerminal, openShell } from './node-shell.ts';
import type { LabNode } from './node.ts';
import { WireCapture } from './packets/capture.ts';
import { podsAndHosts, seenAddress, wordsOf } from './packets/clients.ts';
import { podAddressesOf } from './packets/own-half.ts';
import { carrying, preparedNode } from './packets/packet-node.ts';
import { providerNamespace, wireOf } from './packets/provider.ts';
import { addressesOf, blue, common, red } from './packets/tenant.ts';
import { type Conversation, showPackets, type Wire } from './tour-packets.ts';
import { installCommand } from './tour-programs.ts';
import { isTerminal, print, timed } from './tour-text.ts';
import { tourOfCluster } from './whole-networks/tour.ts';

const tenants = [blue, red];

/** What a person may want to do next. */
const suggestions = [
  'ip netns exec blue-pod ping 198.51.100.200',
  "ovn-uplinks trace blue worker-a 'tcp 10.20.1.5:40000 > 198.51.100.200:8080' --local --manifests /run/manifests --check",
  'ovn-uplinks flows worker-a --local --manifests /run/manifests --bridge br-blue',
  'ovn-uplinks node --node worker-a --manifests /run/manifests --dry-run',
  'cat /run/manifests/status/UplinkState/uplink-0.worker-a.yaml',
  'ovs-ofctl del-flows br-blue        # and they are back within a second: ovs-ofctl dump-flows br-blue',
  'ip link set br-blue nomaster       # and it is back in its VRF with its routes: ip vrf; ip route show vrf blue',
  'less /run/agent.log                # what the agent has done',
];

/** Every pod and the host ask hosts behind each provider. */
function conversationsOn(node: LabNode): readonly Conversation[] {
  return tenants.flatMap((tenant) =>
    common.outside.flatMap((to, family) =>
      podsAndHosts([tenant]).map((client) => ({
        node,
        who: `${tenant.name}, ${client.kind === 'pod' ? 'a pod' : 'the host'}`,
        source: (client.kind === 'pod' ? podAddressesOf(tenant) : addressesOf(tenant.uplink))[family]!,
        asked: { ...wordsOf(client), to },
        expected: {
          by: providerNamespace(tenant.uplink),
          seen: seenAddress(client, family)!,
          wire: wireOf(tenant.uplink),
        },
      })),
    ),
  );
}

function wiresOf(node: LabNode): readonly Wire[] {
  return tenants.map(({ uplink }) => ({
    name: wireOf(uplink),
    node,
    start: () => WireCapture.start(node, providerNamespace(uplink)),
  }));
}

async function tourOfNode(): Promise<number> {
  print(
    'Two tenants of one node with the same subnet of pods, the same uplink address and the same provider address,',
    'each with a bridge, a wire and a VRF of its own. Nothing but ovn-uplinks keeps them apart.',
    '',
  );
  const begin = performance.now();
  const machine = await timed('A machine with a Linux kernel of its own', () =>
    Machine.start({ console: isTerminal ? 'terminal' : 'kept' }),
  );
  try {
    const node = await timed(
      'Open vSwitch, OVN, bridges, providers, and the networks as OVN-Kubernetes makes them',
      () => preparedNode(tenants, () => Promise.resolve(machine)),
    );
    await timed('The agent: VRFs, routes, rules, gateway routers, flows', () => carrying(node, tenants));
    const isRight = await showPackets(conversationsOn(node), wiresOf(node));
    const seconds = Math.round((performance.now() - begin) / 1000);
    print(
      '',
      `${isRight ? 'Each has reached its own provider, on its own wire' : 'This is not as it should be'}, after ${seconds} s.`,
    );
    if (isTerminal) {
      await installCommand(node);
      print('', 'This is a shell on the node; "exit" ends it. To try:', ...suggestions.map((line) => `  ${line}`), '');
      await openShell(node);
    }
    return isRight ? 0 : 1;
  } finally {
    await machine.stop();
  }
}

const { kubernetes } = parseArgs({ options: { kubernetes: { type: 'boolean' } } }).values;
const tour = kubernetes === true ? tourOfCluster : tourOfNode;
process.exitCode = await (isTerminal ? keepingTerminal(tour) : tour());
