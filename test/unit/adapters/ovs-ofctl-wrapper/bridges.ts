import type { Bridge } from '../../../../src/domain/snapshot/node-snapshot.ts';

/** A bridge with ports of these numbers, its own included. */
export function bridgeWith(ports: Readonly<Record<string, number | undefined>>, name = 'br-blue'): Bridge {
  return {
    name,
    externalIds: {},
    ports: Object.entries({ [name]: 65_534, ...ports }).map(([port, openFlowPort]) => ({
      name: port,
      externalIds: {},
      interfaces: [{ name: port, type: '', externalIds: {}, ...(openFlowPort !== undefined && { openFlowPort }) }],
    })),
  };
}
