import { Environment } from '@marcbachmann/cel-js';
import { expect } from 'chai';
import { withKubernetesLibraries } from '../../../src/adapters/validation/cel-libraries/kubernetes-libraries.ts';
import { violatedRulesOf } from '../../../src/adapters/validation/cel-rules.ts';
import { celValueOf } from '../../../src/adapters/validation/cel-value.ts';
import { schemaNodeOf } from '../../../src/adapters/validation/schema-node.ts';
import { TestApiServer } from './api-server.ts';
import { checks, LONGEST_TEXT, type Subject, values } from './cel-checks.ts';
import { ObjectRequests } from './object-requests.ts';
import { onceServed } from './served-config.ts';

const bounded = { type: 'array', maxItems: 4 };

/** Schemas of what expressions are about. Bounds keep the cost of the rules within the API server's limits. */
const subjects: Readonly<Record<Subject, object>> = {
  text: { type: 'string', maxLength: LONGEST_TEXT },
  name: { type: 'string', maxLength: 300 },
  texts: { ...bounded, items: { type: 'string', maxLength: 30 } },
  integers: { ...bounded, items: { type: 'integer', format: 'int64' } },
  numbers: { ...bounded, items: { type: 'number' } },
  flags: { ...bounded, items: { type: 'boolean' } },
};

const group = 'cel.example.org';
const kinds = Object.keys(subjects) as Subject[];

/** The schema of objects about a subject, with a field for each expression: the value, and what the expression has to give. */
function schemaOf(subject: Subject): object {
  const fields = checks.flatMap(({ subject: about, expression }, index): readonly (readonly [string, object])[] => {
    const rule = `${expression} == self.expected`;
    const field = {
      type: 'object',
      required: ['value', 'expected'],
      properties: { value: subjects[subject], expected: { type: 'string', maxLength: 100 } },
      'x-kubernetes-validations': [{ rule, message: `gives another value: ${expression}` }],
    };
    return about === subject ? [[`check${index}`, field]] : [];
  });
  return { type: 'object', properties: { spec: { type: 'object', properties: Object.fromEntries(fields) } } };
}

/** A kind for each subject: what all rules of one may cost is bounded. */
const definitions = kinds.map((subject) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${subject}.${group}` },
  spec: {
    group,
    names: { kind: subject, plural: subject, singular: subject },
    scope: 'Cluster',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schemaOf(subject) } }],
  },
}));

const environment = withKubernetesLibraries(new Environment({ enableOptionalTypes: true })).registerVariable(
  'self',
  'dyn',
);

/** The result of each expression here; undefined if it fails. */
const evaluations = new Map(
  checks.map(({ subject, expression }) => {
    const parsed = environment.parse(expression);
    const node = schemaNodeOf(subjects[subject]);
    return [
      expression,
      (value: unknown): string | undefined => {
        try {
          return parsed({ self: { value: celValueOf(node, value) } }) as string;
        } catch {
          return undefined;
        }
      },
    ];
  }),
);

/** Objects with a value in all fields that take it: one that expects what the expressions give here, and one that expects something else. */
function samplesOf(subject: Subject, value: unknown): readonly object[] {
  return ['', '!'].map((suffix) => ({
    apiVersion: `${group}/v1`,
    kind: subject,
    metadata: { name: 'sample' },
    spec: Object.fromEntries(
      checks.flatMap((check, index) => {
        const found = evaluations.get(check.expression)?.(value);
        return check.subject === subject ? [[`check${index}`, { value, expected: `${found ?? ''}${suffix}` }]] : [];
      }),
    ),
  }));
}

describe("Kubernetes' CEL libraries", () => {
  let server: TestApiServer;
  let requests: ObjectRequests;

  before(async () => {
    server = await TestApiServer.start();
    requests = new ObjectRequests(server);
    server.apply(...definitions);
    await onceServed(() => {
      for (const { metadata } of definitions) server.kubectl(['get', metadata.name, '--ignore-not-found']);
    });
  });

  after(async () => {
    requests.close();
    await server.stop();
  });

  /** Fields whose rules an API server finds violated. */
  async function violatedOnServer(subject: Subject, object: object): Promise<readonly string[]> {
    const { code, status } = await requests.send(
      'POST',
      `/apis/${group}/v1/${subject}?dryRun=All&fieldValidation=Strict`,
      object,
    );
    expect(code, status.message).to.be.oneOf([201, 422]);
    return (status.details?.causes ?? []).map(({ field = '' }) => field);
  }

  it('are called completely by the rules that are compared', () => {
    const known = new Set(new Environment().getDefinitions().functions.map(({ signature }) => signature));
    const added = environment
      .getDefinitions()
      .functions.filter(({ name, signature }) => name !== 'type' && !known.has(signature));
    expect(added).to.have.length.above(50);
    const unused = added.filter(({ name }) => !checks.some(({ expression }) => expression.includes(`${name}(`)));
    expect(unused.map(({ signature }) => signature)).to.deep.equal([]);
  });

  for (const subject of kinds) {
    it(`give without an API server what they give with one: ${subject}`, async () => {
      const violated = violatedRulesOf(schemaNodeOf(schemaOf(subject)));
      const outcomes = new Map<string, Set<string | undefined>>();
      const differences: string[] = [];
      let verdicts = 0;
      for (const value of values[subject]) {
        for (const { subject: about, expression } of checks) {
          if (about !== subject) continue;
          const found = outcomes.get(expression) ?? new Set();
          outcomes.set(expression, found.add(evaluations.get(expression)?.(value)));
        }
        for (const object of samplesOf(subject, value)) {
          const there = await violatedOnServer(subject, object);
          const here = violated({ value: object, violatesSchema: () => false }).map(({ path }) => path);
          verdicts += outcomes.size;
          for (const path of new Set([...there, ...here])) {
            if (there.includes(path) && here.includes(path)) continue;
            const { expression = '' } = checks[Number(path.replace('spec.check', ''))] ?? {};
            const where = there.includes(path) ? 'there' : 'here';
            differences.push(`${JSON.stringify(value)}: ${expression} is violated ${where} alone`);
          }
        }
      }
      expect(differences).to.deep.equal([]);
      // Each rule has met values on both of its sides.
      expect([...outcomes].filter(([, found]) => found.size < 2).map(([expression]) => expression)).to.deep.equal([]);
      process.stdout.write(`      ${values[subject].length} values, ${verdicts} verdicts of ${outcomes.size} rules\n`);
    });
  }
});
