import fc from 'fast-check';
import type { Uplink } from '../../domain/api/uplink.ts';
import { bridgedInterfaceNames, interfaceNames } from './names.ts';
import { nodeSelectors } from './selectors.ts';

/** An uplink of one interface or several, on nodes that may be those of another one too. */
export function uplink(name: string): fc.Arbitrary<Uplink> {
  const config = fc.record({
    type: fc.constant('OVSBridge' as const),
    nodeSelector: nodeSelectors,
    hostInterfaceName: fc.oneof(
      { withCrossShrink: true },
      { weight: 5, arbitrary: fc.constantFrom(...bridgedInterfaceNames) },
      { weight: 1, arbitrary: fc.constantFrom(...interfaceNames) },
    ),
  });
  const configs = fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: config.map((only) => [only]) },
    { weight: 1, arbitrary: fc.array(config, { minLength: 2, maxLength: 3 }) },
  );
  return configs.map((nodeConfigs) => ({
    apiVersion: 'k8s.ovn.org/v1alpha1',
    kind: 'Uplink',
    metadata: { name, uid: `uid-${name.length}` },
    spec: { nodeConfigs },
  }));
}

/** An uplink of its own bridge, on every node. */
export function dedicatedUplink([name, hostInterfaceNames]: readonly [
  string,
  readonly string[],
]): fc.Arbitrary<Uplink> {
  return fc.constantFrom(...hostInterfaceNames).map((hostInterfaceName) => ({
    apiVersion: 'k8s.ovn.org/v1alpha1',
    kind: 'Uplink',
    metadata: { name, uid: `uid-${name.length}` },
    spec: { nodeConfigs: [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName }] },
  }));
}
