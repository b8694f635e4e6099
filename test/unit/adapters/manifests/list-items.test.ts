import { expect } from 'chai';
import { contentsOfText } from '../../../../src/adapters/manifests/manifest-text.ts';
import { list, pod, uplink } from './example-objects.ts';

/** The labels of the objects in a document, with their positions. */
function labelsOf(document: unknown): readonly string[] {
  const { objects, problems } = contentsOfText('a.json', JSON.stringify(document));
  expect(problems).to.deep.equal([]);
  return objects.map(({ label, position }) => (position === undefined ? label : `${label} at ${position}`));
}

function messages(text: string): readonly string[] {
  return contentsOfText('a.yaml', text).problems.map(({ message }) => message);
}

describe('the objects in a document', () => {
  for (const { name, document, labels } of [
    { name: 'are read from a single object', document: uplink('blue'), labels: ['Uplink/blue'] },
    {
      name: 'are read from a List as printed by kubectl',
      document: list(uplink('blue'), pod('a', 'web')),
      labels: ['Uplink/blue at items[0]', 'Pod/web/a at items[1]'],
    },
    {
      name: 'are read from nested lists',
      document: list(list(uplink('blue')), list(list(uplink('red')))),
      labels: ['Uplink/blue at items[0].items[0]', 'Uplink/red at items[1].items[0].items[0]'],
    },
    { name: 'are empty for an empty list', document: list(), labels: [] },
    {
      name: 'are empty for a list whose items are null, as Go prints an empty list',
      document: { ...list(), items: null },
      labels: [],
    },
    {
      name: 'have the kind of their list, as returned by the API',
      document: { apiVersion: 'v1', kind: 'PodList', items: [{ metadata: { name: 'a', namespace: 'web' }, spec: {} }] },
      labels: ['Pod/web/a at items[0]'],
    },
    {
      name: 'may also have the kind of their list themselves',
      document: { apiVersion: 'k8s.ovn.org/v1alpha1', kind: 'UplinkList', items: [uplink('blue')] },
      labels: ['Uplink/blue at items[0]'],
    },
    {
      name: 'are empty for an empty list of a kind',
      document: { apiVersion: 'k8s.ovn.org/v1alpha1', kind: 'UplinkList', items: null },
      labels: [],
    },
  ]) {
    it(name, () => {
      expect(labelsOf(document)).to.deep.equal(labels);
    });
  }

  it('have line numbers in YAML', () => {
    const { objects } = contentsOfText(
      'a.yaml',
      'kind: List\nitems:\n- {apiVersion: v1, kind: Node, metadata: {name: a}}\n',
    );
    expect(objects.map(({ position }) => position)).to.deep.equal(['line 3']);
  });

  it('do not include the items of an object that is not a list', () => {
    const object = { apiVersion: 'example.org/v1', kind: 'Deck', items: [5] };
    expect(contentsOfText('a.json', JSON.stringify(object))).to.deep.equal({
      objects: [],
      problems: [],
      misspelled: [],
      otherKinds: new Map([['Deck.example.org', 1]]),
    });
  });

  it('are empty for an empty document', () => {
    expect(contentsOfText('a.yaml', '---\n---\n# nothing\n---\n')).to.deep.equal({
      objects: [],
      problems: [],
      misspelled: [],
      otherKinds: new Map(),
    });
  });

  for (const { name, text, message } of [
    {
      name: 'a document that is not an object',
      text: '---\n---\n5\n',
      message: 'line 3: expected an object with apiVersion and kind, found number 5',
    },
    {
      name: 'an item in YAML that is not an object',
      text: 'kind: List\nitems:\n- 5\n',
      message: 'items[0]: expected an object with apiVersion and kind, found number 5',
    },
    {
      name: 'items that are not a list',
      text: '{"kind": "List", "items": "none"}',
      message: 'expected a list of items, found string "none"',
    },
    {
      name: 'items in YAML that are not a list',
      text: '\nkind: List\nitems: {}',
      message: 'line 2: expected a list of items, found an object',
    },
    {
      name: 'an item that is not an object',
      text: '{"kind": "List", "items": [5]}',
      message: 'items[0]: expected an object with apiVersion and kind, found number 5',
    },
    {
      name: 'an item that is null',
      text: '{"kind": "List", "items": [null]}',
      message: 'items[0]: expected an object with apiVersion and kind, found null',
    },
    {
      name: 'an item of a List without a kind',
      text: 'kind: List\nitems:\n- apiVersion: v1\n',
      message: 'line 3: expected a kind, found nothing',
    },
  ]) {
    it(`are reported if invalid: ${name}`, () => {
      expect(messages(text)).to.deep.equal([message]);
    });
  }
});
