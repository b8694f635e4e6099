import { describeLogicalPorts, describeSwitchPorts, nodeSwitch, switchPort } from '../../contract/pod-ports.ts';
import { FakePodNode } from '../../fakes/pod-node.ts';

const newNode = () =>
  new FakePodNode({ namespace: undefined, node: undefined, nodeId: undefined, networks: [], pods: [] });

describeLogicalPorts('the fake', () => {
  const node = newNode();
  node.switches = [nodeSwitch];
  return { logicalPorts: node.ports.logicalPorts, fail: () => node.fail(), end: () => undefined };
});

describeSwitchPorts('the fake', () => {
  const node = newNode();
  const netns = '/run/netns/web';
  return {
    switchPorts: node.ports.switchPorts,
    install: (port) => node.install(port),
    setDevice: async (_, isThere) => {
      const attach = {
        hostInterface: switchPort.name,
        mac: switchPort.mac,
        mtu: 1400,
        alias: '',
        addresses: [],
        routes: [],
        answers: [],
        ipv6Settings: {},
      };
      await node.plugin(netns, 'net1').take(isThere ? { step: 'attach', attach } : { step: 'detach' });
    },
    fail: () => node.fail(),
    end: () => undefined,
  };
});
