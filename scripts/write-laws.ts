/** Prints docs/laws.md from the tables of laws, exceptions and seeded faults. */
import { writeFileSync } from 'node:fs';
import { exceptions, type Law, laws, seededFaults } from '../src/testing/index.ts';

const subjects: Readonly<Record<Law['about'], string>> = {
  cases: 'generated clusters with nodes',
  steps: 'generated stories, at each of their steps',
  stories: 'generated stories',
};

const reasonsOf = new Map<string, Readonly<Record<string, string>>>(Object.entries(exceptions));

/** The subjects of a law. */
const subjectsOf = (law: Law) =>
  law.about === 'cases' && law.isOfServices === true ? 'generated clusters with Services' : subjects[law.about];

function section(law: Law): string {
  const { name, promise, method, runs } = law;
  const reasons = Object.entries(reasonsOf.get(name) ?? {});
  const faults = seededFaults.filter(({ law }) => law === name);
  return [
    `## ${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    '',
    `${promise}. ${method}`,
    `\`npm test\` checks it on ${runs} ${subjectsOf(law)}.`,
    '',
    'It finds:',
    '',
    ...faults.map(({ fault }) => `- ${fault}`),
    '',
    ...(reasons.length === 0
      ? []
      : [
          'Exceptions:',
          '',
          '| exception | reason |',
          '|---|---|',
          ...reasons.map(([key, why]) => `| ${key} | ${why} |`),
          '',
        ]),
  ].join('\n');
}

const page = [
  '# Laws',
  '',
  'What holds for every plan of the engine. A law takes the engine that it judges as an argument, so any engine can be checked:',
  '`ovn-uplinks/testing` exports the laws, the generators and the model of a node. Each law is shown to find something by engines',
  'with one seeded fault, within its usual number of cases. Each exception is used by a scenario or a generated case, or a test fails.',
  '',
  'A case is a cluster with nodes. A story is a node whose networks, uplinks and advertisements come and go, while other programs interfere; at its steps',
  'some plans are applied to the end and some stop in the middle of an operation.',
  '',
  'This page is printed from `src/testing/laws.ts`, `laws/exceptions.ts` and `seeded-faults.ts` there by `npm run goldens`.',
  '',
  ...laws.map(section),
]
  .join('\n')
  .trimEnd();

writeFileSync(new URL('../docs/laws.md', import.meta.url), `${page}\n`);
