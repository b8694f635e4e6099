import { expect } from 'chai';
import { servicesReadyCondition, type ServicesReadyInput } from '../../../../src/domain/status/services-ready.ts';

interface Case extends Partial<Omit<ServicesReadyInput, 'notServing'>> {
  /** Nodes with reasons, perhaps with messages, by name. */
  readonly nodes?: readonly (readonly [node: string, reason: string, message?: string])[];
}

function conditionOf({ nodes = [], ...input }: Case): string | undefined {
  const notServing = {
    count: nodes.length,
    reasons: nodes.map(([, reason]) => reason),
    first: nodes.slice(0, 4).map(([node, reason]) => ({ node, reason })),
    explained: nodes.flatMap(([node, reason, message]) => (message === undefined ? [] : [{ node, reason, message }])),
  };
  const found = servicesReadyCondition({ services: 2, problems: [], activeNodes: 3, ...input, notServing });
  return found && `${found.type} ${found.status} ${found.reason}: ${found.message}`;
}

const unmapped = {
  reason: 'EndpointsUnmapped',
  count: 1,
  service: 'blue/web',
  text: 'no address in the network: pod a',
} as const;
const refused = {
  reason: 'ServicesRefused',
  count: 2,
  service: 'blue/api',
  text: 'cannot be served at 10.20.0.1',
} as const;
const unlabelled = { reason: 'ServicesNotServed', count: 1, service: 'blue/db', text: 'is not labelled yet' } as const;

const cases: Readonly<Record<string, readonly [Case, string | undefined]>> = {
  'there are no Services': [{ services: 0, nodes: [['a', 'ServicesPending']] }, undefined],
  'all are served': [{}, 'ServicesReady True ServicesReady: 2 Services served on 3 of 3 active nodes'],
  'the only one is served': [
    { services: 1, activeNodes: 1 },
    'ServicesReady True ServicesReady: 1 Service served on 1 of 1 active nodes',
  ],
  'the network is active nowhere': [
    { activeNodes: 0 },
    'ServicesReady True ServicesReady: 2 Services; the network is not active on any node',
  ],
  'nodes have not said so': [
    {
      nodes: [
        ['a', 'ServicesPending'],
        ['b', 'NodeNotReporting'],
      ],
    },
    'ServicesReady False NodeNotReporting: 2 of 3 active nodes not ready: a (ServicesPending), b (NodeNotReporting)',
  ],
  'a node says what it cannot program': [
    {
      nodes: [
        ['a', 'ServicesPending'],
        ['b', 'ServiceProgrammingFailed', 'blue/web: refused'],
      ],
    },
    'ServicesReady False ServiceProgrammingFailed: 2 of 3 active nodes not ready: a (ServicesPending), b (ServiceProgrammingFailed); b: blue/web: refused',
  ],
  'a newer node has a reason of its own': [
    { nodes: [['a', 'SomethingNew', 'as it says']] },
    'ServicesReady False SomethingNew: 1 of 3 active nodes not ready: a (SomethingNew); a: as it says',
  ],
  'a pod has no address': [
    { problems: [unlabelled, refused, unmapped] },
    'ServicesReady False EndpointsUnmapped: 1 of 2 Services: blue/web: no address in the network: pod a',
  ],
  'addresses cannot be served': [
    { problems: [unlabelled, refused] },
    'ServicesReady False ServicesRefused: 2 of 2 Services: blue/api: cannot be served at 10.20.0.1, …',
  ],
  'a Service is not labelled': [
    { problems: [unlabelled] },
    'ServicesReady False ServicesNotServed: 1 of 2 Services: blue/db: is not labelled yet',
  ],
  'a node is behind, and a pod has no address': [
    { nodes: [['a', 'ServicesPending']], problems: [unmapped] },
    'ServicesReady False ServicesPending: 1 of 3 active nodes not ready: a (ServicesPending)',
  ],
};

describe('condition ServicesReady, if', () => {
  for (const [what, [input, expected]] of Object.entries(cases)) {
    it(`${what}: ${expected?.split(':', 1)[0] ?? 'absent'}`, () => {
      expect(conditionOf(input)).to.equal(expected);
    });
  }
});
