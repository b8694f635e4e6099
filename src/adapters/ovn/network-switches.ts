/** Switches of networks in OVN's Northbound database, as programs of this project find them there. */
import Type from 'typebox';
import { partOf, stringMap } from '../../domain/api/schema.ts';
import { TRANSIT_SWITCH_KEY_BASE } from '../../domain/basics/conventions.ts';
import { LOGICAL_NETWORK_ROW_OWNER_KEY } from '../../domain/datapath/northbound/row.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { NetworkSwitch } from '../../ports/node/logical-ports.ts';
import { mapReading } from '../../ports/readings.ts';
import type { Row } from '../ovsdb/row.ts';
import { rowReader } from '../ovsdb/rows.ts';

const switchSchema = partOf({
  name: Type.String(),
  other_config: Type.Optional(stringMap()),
  external_ids: Type.Optional(stringMap()),
});

/** The columns of table Logical_Switch that are read. */
export const SWITCH_COLUMNS = Object.keys(switchSchema.properties);

const switchRow = rowReader(switchSchema);

/** The key of other_config with the tunnel key of a transit switch (ovn-nb(5), Logical_Switch). */
const TUNNEL_KEY_CONFIG = 'requested-tnl-key';

/** A row of table Logical_Switch. */
export interface NamedSwitch {
  readonly uuid: string;
  readonly name: string;
  readonly externalIds: Readonly<Record<string, string>>;
  /** Tunnel key, which transit switches have. */
  readonly tunnelKey: string | undefined;
}

/** Reads a row of table Logical_Switch. */
export function namedSwitch(row: Row): Reading<NamedSwitch> {
  return mapReading(switchRow(row), ({ name, other_config: config = {}, external_ids: externalIds = {} }) => ({
    uuid: row.uuid,
    name,
    externalIds,
    tunnelKey: config[TUNNEL_KEY_CONFIG],
  }));
}

/** The network which a switch is of, if ovn-uplinks provides it: another program may have a switch of its name, and another network too (docs/design/networks.md, "Zones"). */
export function networkOfSwitch({ externalIds }: NamedSwitch): string | undefined {
  return externalIds[LOGICAL_NETWORK_ROW_OWNER_KEY];
}

/** The switches of networks that ovn-uplinks provides, for the pods of this node. */
export function networkSwitches(switches: readonly NamedSwitch[]): readonly NetworkSwitch[] {
  const ids = new Map(
    switches.flatMap((each) => {
      const network = networkOfSwitch(each);
      return network === undefined || each.tunnelKey === undefined
        ? []
        : [[network, Number(each.tunnelKey) - TRANSIT_SWITCH_KEY_BASE] as const];
    }),
  );
  return switches.flatMap((each) => {
    const networkName = networkOfSwitch(each);
    if (networkName === undefined || each.tunnelKey !== undefined) return [];
    const networkId = ids.get(networkName);
    return [{ name: each.name, networkName, ...(networkId !== undefined && { networkId }) }];
  });
}
