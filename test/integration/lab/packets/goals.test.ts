import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { goals, goalTable, missedGoals } from './goals.ts';

describe('goals of npm run lab:networks', () => {
  it('are missed by figures above them, not by equal ones', () => {
    const { atMost } = goals.neighbour4;
    expect(missedGoals({ neighbour4: atMost, neighbour6: goals.neighbour6.atMost + 1 })).to.deep.equal(['neighbour6']);
  });

  it('are missed by figures that are no number', () => {
    expect(missedGoals({ broadcasts: NaN })).to.deep.equal(['broadcasts']);
  });

  it('are not missed by figures that were not measured', () => {
    expect(missedGoals({})).to.deep.equal([]);
  });

  it('are printed beside the figures', () => {
    expect(goalTable({ neighbour4: 7512, broadcasts: 0.9 })).to.deep.equal([
      '  FIGURE                                                         AT MOST     MEASURED    GOAL',
      '  all pods are answered by a neighbour that is no gateway, IPv4  5.0 s       7.5 s       missed',
      '  CPU time of broadcasts, beside that with 5 networks            1.50 times  0.90 times  reached',
    ]);
  });

  it('are those of docs/limits.md', () => {
    const page = readFileSync(new URL('../../../../docs/limits.md', import.meta.url), 'utf8');
    const printed = goalTable(Object.fromEntries(Object.keys(goals).map((name) => [name, 0])))
      .slice(1)
      .map((line) => line.trim().split(/ {2,}/).slice(0, 2));
    const section = page.split(/^## /m).find((each) => each.startsWith('Many networks on one bridge')) ?? '';
    const rows = [...section.matchAll(/^\| ([^|]+?) \| ([\d.]+ (?:s|times)) \|/gm)].map(([, what, goal]) => [
      what,
      goal,
    ]);
    expect(rows).to.deep.equal(printed);
  });
});
