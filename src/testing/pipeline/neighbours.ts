/**
 * Networks resolve the neighbours on the link of their uplink, and reach them.
 */
import { nameOfNetwork } from '../../domain/network/key.ts';
import type { BridgeInput, NetworkInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import { SLOTS } from '../../domain/dataplane/pipeline/tables.ts';
import { virtualMacOf } from '../../domain/dataplane/pipeline/virtual-mac.ts';
import { bitsOf } from '../../domain/datapath/openflow/bits.ts';
import type { FieldName } from '../../domain/datapath/openflow/fields.ts';
import type { Match } from '../../domain/datapath/openflow/flow.ts';
import { evaluate, type Output, type SwitchState } from '../../domain/datapath/switch-model/evaluate.ts';
import { valueOf } from '../../domain/datapath/switch-model/packet.ts';
import { type Attached, bridgeModel, packetFrom, portNumber } from './bridge-model.ts';
import { networksByPort, outputWords, type PipelineProperty, PipelineViolation } from './property.ts';

const tagOf = ({ uplink: { vlan } }: Attached): Match => (vlan === undefined ? {} : { dl_vlan: String(vlan) });

/** The address that a network asks for as its gateway router does; undefined if it is no such request, or for an address that the router does not ask for. */
function askedFor(attached: Attached, bridge: BridgeInput, sent: Match): string | undefined {
  const { uplink } = attached;
  const isRequest =
    sent.protocol === 'arp' &&
    sent.arp_op === '1' &&
    sent.arp_spa === uplink.addresses[4] &&
    attached.network.masqueradeAddresses[4] !== undefined &&
    sent.dl_src === uplink.macAddress &&
    sent.dl_vlan === tagOf(attached).dl_vlan;
  const target = isRequest ? (sent.arp_tpa ?? '') : '';
  const isNeighbour = target.startsWith('192.0.2.') && !(bridge.uplinkAddresses[4] ?? []).includes(target);
  const isGateway = uplink.neighbours.some(({ address, isGateway }) => isGateway && address === target);
  return isNeighbour && !isGateway ? target : undefined;
}

/** Another network of the uplink that can wait for the same neighbour at the same time. */
function inAnotherSlot({ uplink, network }: Attached): NetworkInput | undefined {
  return uplink.networks.find(
    ({ networkId, masqueradeAddresses }) =>
      masqueradeAddresses[4] !== undefined && networkId % SLOTS !== network.networkId % SLOTS,
  );
}

/** The MAC address that a neighbour has: that of a flow of the uplink, or another one. */
function macAddressOf({ uplink }: Attached, address: string): string {
  return uplink.neighbours.find((neighbour) => neighbour.address === address)?.macAddress ?? '02:00:00:00:00:cc';
}

function has({ packet }: Output, fields: Readonly<Partial<Record<FieldName, string>>>): boolean {
  return Object.entries(fields).every(
    ([field, text]) => valueOf(packet, field as FieldName) === bitsOf(field as FieldName, text)?.value,
  );
}

/** Actions of the neighbours of a bridge, and of the networks that reach them, one after the other. */
class Exchange {
  readonly #bridge: BridgeInput;
  #state: SwitchState;

  constructor(bridge: BridgeInput, state: SwitchState) {
    this.#bridge = bridge;
    this.#state = state;
  }

  send(packet: Match): readonly Output[] {
    const { outputs, after } = evaluate(this.#state, packetFrom(packet));
    this.#state = after;
    return outputs;
  }

  /** Answers a request as the neighbour does. */
  reply(attached: Attached, address: string): readonly Output[] {
    const { uplink } = attached;
    const mac = macAddressOf(attached, address);
    return this.send({
      protocol: 'arp',
      in_port: this.#bridge.physicalPort,
      dl_src: mac,
      dl_dst: uplink.macAddress,
      ...tagOf(attached),
      arp_op: '2',
      arp_spa: address,
      arp_sha: mac,
      arp_tpa: uplink.addresses[4] ?? '',
      arp_tha: uplink.macAddress,
    });
  }

  /** Sends a packet of the network to the neighbour, as its gateway router does once it has resolved it. */
  reach(attached: Attached, address: string): readonly Output[] {
    return this.send({
      protocol: 'udp',
      in_port: attached.network.patchPort,
      dl_src: attached.uplink.macAddress,
      dl_dst: virtualMacOf(address),
      ...tagOf(attached),
      nw_src: attached.network.masqueradeAddresses[4] ?? '',
      nw_dst: address,
      tp_src: '40000',
      tp_dst: '443',
    });
  }
}

/** @throws PipelineViolation unless one of the outputs is as expected. */
function expectOutput(
  outputs: readonly Output[],
  port: string,
  fields: Readonly<Partial<Record<FieldName, string>>>,
  what: string,
): void {
  if (outputs.some((output) => output.port === portNumber(port) && has(output, fields))) return;
  throw new PipelineViolation(
    `${what} leaves by ${outputWords(outputs)}; expected port ${port} as ${JSON.stringify(fields)}`,
  );
}

export const neighboursResolved: PipelineProperty = {
  name: 'neighbours resolved',
  promise:
    'A network that asks for an IPv4 neighbour on its link, which may be the default gateway of another uplink, gets the virtual MAC address of the neighbour, also while another network asks for it, and what it sends there has the real one',
  cover: { 'asked on the wire': 0.05, 'asked by two networks': 0.01, 'gateway of another uplink': 0.004 },
  check: (pipeline, { bridge, packets }) => {
    const exchange = new Exchange(bridge, bridgeModel(bridge, pipeline(bridge)));
    const networks = networksByPort(bridge);
    const reached = new Set<string>();
    for (const sent of packets) {
      const outputs = exchange.send(sent);
      const attached = networks.get(sent.in_port ?? '');
      const address = attached && askedFor(attached, bridge, sent);
      if (attached === undefined || address === undefined) continue;
      const { patchPort, network: key } = attached.network;
      const network = nameOfNetwork(key);
      const answer = { arp_op: '2', arp_spa: address, arp_sha: virtualMacOf(address) } as const;
      const isAsked = outputs.some(({ port }) => port === portNumber(bridge.physicalPort));
      if (!isAsked) expectOutput(outputs, patchPort, answer, `the request of ${network} for ${address}`);
      const other = isAsked ? inAnotherSlot(attached) : undefined;
      if (other !== undefined) exchange.send({ ...sent, in_port: other.patchPort });
      const replied = exchange.reply(attached, address);
      if (isAsked) expectOutput(replied, patchPort, answer, `the reply of ${address} to ${network}`);
      if (other !== undefined) {
        expectOutput(
          replied,
          other.patchPort,
          answer,
          `the reply of ${address} to ${nameOfNetwork(other.network)} too`,
        );
        reached.add('asked by two networks');
      }
      const next = { dl_dst: macAddressOf(attached, address), nw_dst: address };
      expectOutput(exchange.reach(attached, address), bridge.physicalPort, next, `what ${network} sends to ${address}`);
      if (isAsked) reached.add('asked on the wire');
      const isGateway = bridge.uplinks.some(
        ({ vlan, neighbours }) =>
          vlan === attached.uplink.vlan &&
          neighbours.some((neighbour) => neighbour.isGateway && neighbour.address === address),
      );
      if (isGateway) reached.add('gateway of another uplink');
    }
    return [...reached];
  },
};
