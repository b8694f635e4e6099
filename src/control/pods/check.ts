import type { CniAnswer } from '../../domain/pods/cni/answer.ts';
import type { AddCall } from '../../domain/pods/cni/call.ts';
import { checkFindings } from '../../domain/pods/pod-check.ts';
import { addressesWithLength, podGateways } from '../../domain/pods/pod-interface.ts';
import type { CniPlugin } from '../../ports/pods/cni-agent.ts';
import { isSameAttachment } from './detach.ts';
import { answerOf, notAttached, succeeded, taken, unread } from './failure.ts';
import { unlockedInterfaces } from './locks.ts';
import type { PodContext } from './pod-ports.ts';

/** Checks whether a container is attached as it was (CNI specification 1.1.0, section 2, CHECK). */
export async function check(context: PodContext, call: AddCall, plugin: CniPlugin): Promise<CniAnswer> {
  const { logicalPorts, switchPorts } = context;
  const { attachment } = call;
  const [switchReading, logicalReading] = await Promise.all([switchPorts.read(), logicalPorts.read()]);
  if (!switchReading.read) return answerOf(unread('Open vSwitch’s database cannot be read', switchReading.problems));
  if (!logicalReading.read)
    return answerOf(unread('OVN’s Northbound database cannot be read', logicalReading.problems));
  const outcome = taken('the namespace of the pod cannot be read', await plugin.take({ step: 'observe' }));
  if (!outcome.ok) return answerOf(outcome);
  const switchPort = switchReading.value.find((each) => isSameAttachment(each.attachment, attachment));
  const port = logicalReading.value.ports.find(
    (each) => each.name === switchPort?.portName && each.pod.uid === switchPort.pod.uid,
  );
  // Not those of the network as it is now, which may be being deleted.
  const subnets = switchPort?.addresses ?? [];
  const findings = checkFindings({
    ifname: attachment.ifname,
    ...(port && { port: { mac: port.mac, addresses: addressesWithLength(port.addresses, subnets) } }),
    gateways: podGateways(port?.addresses ?? [], subnets),
    ...(switchPort && { isInstalled: switchPort.isInstalled }),
    answers: switchPort?.answers ?? [],
    observed: outcome.value.observed ?? { routes: [] },
  });
  const unlocked = switchPort === undefined ? succeeded([]) : await unlockedInterfaces(context, switchPort);
  if (!unlocked.ok) return answerOf(unlocked);
  const all = [...findings, ...unlocked.value.map((name) => `interface ${name} of the default network is not locked`)];
  return answerOf(
    all.length === 0 ? succeeded(undefined) : notAttached('the pod is not attached as it was', all.join('; ')),
  );
}
