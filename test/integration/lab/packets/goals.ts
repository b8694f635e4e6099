/** The goals for many networks on one bridge, with which `npm run lab:networks` compares what it measures. */
import { textTable } from '../../../../src/cmd/output/text-table.ts';

const units = {
  s: (milliseconds: number) => (milliseconds / 1000).toFixed(1),
  times: (ratio: number) => ratio.toFixed(2),
} as const;

/** The largest value of a figure that is good enough. */
interface Goal {
  readonly what: string;
  readonly unit: keyof typeof units;
  /** Milliseconds, or a ratio. */
  readonly atMost: number;
}

/** The goals by figure. docs/limits.md compares them with what has been measured. */
export const goals = {
  gatewayRequests: { what: 'requests to the default gateway, for each answered pod', unit: 'times', atMost: 1 },
  neighbour4: { what: 'all pods are answered by a neighbour that is no gateway, IPv4', unit: 's', atMost: 5000 },
  neighbour6: { what: 'all pods are answered by a neighbour that is no gateway, IPv6', unit: 's', atMost: 60_000 },
  gatewayChange: { what: 'all networks use the new MAC address of the default gateway', unit: 's', atMost: 1000 },
  gatewayReturn: { what: 'the same after the kernel had given the gateway up', unit: 's', atMost: 1000 },
  broadcasts: { what: 'CPU time of broadcasts, beside that with 5 networks', unit: 'times', atMost: 1.5 },
  addition: { what: 'adding one network, beside replacing all flows of the bridge', unit: 'times', atMost: 0.1 },
  deletedFlow: { what: 'a deleted flow is restored', unit: 's', atMost: 1000 },
  restartedFlows: { what: 'flows are restored after a restart of ovs-vswitchd', unit: 's', atMost: 1000 },
  restartedPorts: { what: 'settings of ports are restored after a restart of ovs-vswitchd', unit: 's', atMost: 1000 },
} as const satisfies Readonly<Record<string, Goal>>;

/** The figure that was measured for each goal. Figures of measurements that were not selected are absent. */
export type Figures = { readonly [Name in keyof typeof goals]?: number };

/** A value with its unit, such as `5.0 s`. */
function valueOf({ unit }: Goal, value: number): string {
  return `${units[unit](value)} ${unit}`;
}

/** The figures that exceed their goal, or are no number. */
export function missedGoals(figures: Figures): readonly (keyof typeof goals)[] {
  const names = Object.keys(goals) as (keyof typeof goals)[];
  return names.filter((name) => {
    const figure = figures[name];
    return figure !== undefined && !(figure <= goals[name].atMost);
  });
}

/** The figures beside their goals, as lines of a table. */
export function goalTable(figures: Figures): readonly string[] {
  const missed = new Set(missedGoals(figures));
  const names = (Object.keys(goals) as (keyof typeof goals)[]).filter((name) => figures[name] !== undefined);
  const rows = names.map((name) => [
    goals[name].what,
    valueOf(goals[name], goals[name].atMost),
    valueOf(goals[name], figures[name] ?? NaN),
    missed.has(name) ? 'missed' : 'reached',
  ]);
  return textTable([['FIGURE', 'AT MOST', 'MEASURED', 'GOAL'], ...rows]);
}
