import type { ReplyTo } from '../ovsdb/fake-server.ts';

/** The replies of an ovsdb-server with an empty Northbound database of OVN, whose changes were never confirmed. */
export const emptyNorthbound: ReplyTo = (method) => {
  if (method === 'get_schema') {
    const counters = ['nb_cfg', 'sb_cfg', 'hv_cfg'].map((name) => [name, { type: 'integer' }] as const);
    return { result: { tables: { NB_Global: { columns: Object.fromEntries(counters) } } } };
  }
  if (method !== 'monitor_cond_since') return undefined;
  return { result: [false, 'first', { NB_Global: { x: { initial: { nb_cfg: 0, sb_cfg: 0, hv_cfg: 0 } } } }] };
};
