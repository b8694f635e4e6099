import { dataplaneOf } from '../../../../src/domain/plan/parts/parts.ts';
import type { NetworkCheckInput } from '../../../../src/domain/network-readiness/network-check.ts';
import { readNetwork } from '../brief-objects.ts';
import { dataplaneInput, type InputBrief } from '../dataplane/dataplane-input.ts';

/** The input of the checks: network `blue`, of id 7, on interface `br-blue`, with what the node must have for it. */
export function checkInput(brief: InputBrief = {}, input: Partial<NetworkCheckInput> = {}): NetworkCheckInput {
  const wanted = dataplaneInput(brief);
  return {
    network: readNetwork('blue'),
    networkId: wanted.networkId,
    vrf: wanted.vrf,
    conflicts: [],
    usedTwice: undefined,
    overlaps: [],
    uplinkUnusable: undefined,
    ipAddresses: [],
    dataplane: dataplaneOf(wanted),
    unreadable: undefined,
    unknownDatapath: undefined,
    internalIps: [],
    node: wanted.node,
    ...input,
  };
}
