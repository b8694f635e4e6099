import Type from 'typebox';
import { partOf } from '../../domain/api/schema.ts';
import { mapReading, thenRead } from '../../ports/readings.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { readDump } from '../ovsdb/dump.ts';
import { rowReader } from '../ovsdb/rows.ts';

const rootRow = rowReader(partOf({ ovs_version: Type.Optional(Type.String()) }));

/**
 * Reads the version of Open vSwitch from a dump of its database, where the scripts that start it have written it (ovs-vswitchd.conf.db(5), Open_vSwitch).
 *
 * @param file named in problems
 */
export function readSwitchVersion(text: string, file: string): Reading<string | undefined> {
  return thenRead(readDump(text, file, ['Open_vSwitch']), ({ tables }) => {
    const [root] = tables.get('Open_vSwitch') ?? [];
    return root === undefined
      ? { read: true, value: undefined }
      : mapReading(rootRow(root), ({ ovs_version: version }) => version);
  });
}
