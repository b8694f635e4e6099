import { nodeReportName, reportData } from '../../../src/domain/network/allocation/node-report.ts';
import { IDS_LABEL, NODE_REPORT_ANNOTATION } from '../../../src/domain/basics/conventions.ts';
import type { Administrator } from './administrator.ts';

/** The annotation by which a Node says that it reports, to be merged into it. */
export const announcement = (node: string) => ({
  metadata: { annotations: { [NODE_REPORT_ANNOTATION]: nodeReportName(node) } },
});

/** The report of a node as it is now, as its agent stores it. */
export async function nodeReport(
  administrator: Administrator,
  node: string,
  { networks, namespace = 'ovn-uplinks' }: { readonly networks: readonly number[]; readonly namespace?: string },
) {
  const { uid } = ((await administrator.get('Node', node))?.['metadata'] ?? {}) as { readonly uid?: string };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: nodeReportName(node), labels: { [IDS_LABEL]: node } },
    data: reportData({ name: node, uid: uid ?? '' }, networks, []),
  };
}
