import type { BridgeInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import { evaluate } from '../../domain/switch-model/evaluate.ts';
import { bridgeModel, packetFrom } from './bridge-model.ts';
import { networksByPort, type PipelineProperty, PipelineViolation, words } from './property.ts';

export const othersChangeNothing: PipelineProperty = {
  name: 'others change nothing',
  promise: 'What becomes of what a network sends is the same whichever other networks are on the bridge',
  cover: { 'beside others': 0.3 },
  check: (pipeline, { bridge, packets }) => {
    const networks = networksByPort(bridge);
    const reached = new Set<string>();
    const together = bridgeModel(bridge, pipeline(bridge));
    for (const sent of packets) {
      const attached = networks.get(sent.in_port ?? '');
      if (attached === undefined) continue;
      const alone: BridgeInput = {
        ...bridge,
        uplinks: bridge.uplinks.map((uplink) => ({
          ...uplink,
          networks: uplink.networks.filter(({ network }) => network === attached.network.network),
        })),
      };
      const [withOthers, withoutOthers] = [
        together,
        { ...together, flows: bridgeModel(alone, pipeline(alone)).flows },
      ].map((state) =>
        evaluate(state, packetFrom(sent)).outputs.map(({ port, packet }) => `${String(port)} ${words(packet)}`),
      );
      if (withOthers?.join() !== withoutOthers?.join()) {
        throw new PipelineViolation(
          `${JSON.stringify(sent)} leaves as ${withOthers?.join() ?? ''}; without the other networks as ${withoutOthers?.join() ?? ''}`,
        );
      }
      if (networks.size > 1) reached.add('beside others');
    }
    return [...reached];
  },
};
