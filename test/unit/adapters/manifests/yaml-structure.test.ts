import { expect } from 'chai';
import { parseText } from '../../../../src/adapters/manifests/parse-text.ts';
import { MAX_ALIASED_VALUES } from '../../../../src/adapters/manifests/yaml-values.ts';

function values(text: string): readonly unknown[] {
  const { documents, faults } = parseText(text);
  expect(faults).to.deep.equal([]);
  return documents.map(({ value }) => value);
}

function faults(text: string): readonly string[] {
  return parseText(text).faults;
}

describe('documents of a YAML text', () => {
  it('are told apart by ---, and know their line', () => {
    const { documents } = parseText('# first\na: 1\n---\nb: 2\n...\n---\n\nc: 3\n');
    expect(documents.map(({ value, line }) => ({ value, line }))).to.deep.equal([
      { value: { a: 1 }, line: 2 },
      { value: { b: 2 }, line: 4 },
      { value: { c: 3 }, line: 8 },
    ]);
  });

  it('know the line of each mapping in them', () => {
    const [document] = parseText('items:\n- a: 1\n\n- b: 2\n').documents;
    const items: readonly unknown[] = Object.values(document?.value ?? {}).flat();
    expect(items.map((item) => document?.lineOf(item))).to.deep.equal([2, 4]);
  });

  for (const empty of ['', '\n\n', '# nothing\n', '---\n', '---\n---\n# nothing\n', '~']) {
    it(`${JSON.stringify(empty)} hold nothing`, () => {
      expect(values(empty).filter((value) => value !== null)).to.deep.equal([]);
    });
  }

  it('are read one by one: a faulty one hides no other', () => {
    const { documents, faults: found } = parseText('a: 1\n---\nb: [1\n---\nc: 3\n');
    expect(documents.map(({ value }) => value)).to.deep.equal([{ a: 1 }, { c: 3 }]);
    expect(found).to.deep.equal(['line 4, column 1: deficient indentation']);
  });

  it('may have line ends of Windows', () => {
    expect(values('a: 1\r\nb:\r\n- 2\r\n')).to.deep.equal([{ a: 1, b: [2] }]);
  });
});

describe('a YAML text with a syntax error', () => {
  it('gives lines of the whole text also for the documents after it', () => {
    const { documents, faults: found } = parseText('a: [\n---\n\nb: {c: 1}\n---\n- d: ]\n');
    expect(found).to.deep.equal([
      'line 2, column 1: deficient indentation',
      'line 6, column 6: bad indentation of a mapping entry',
    ]);
    const [document] = documents;
    expect(document?.line).to.equal(4);
    expect(document?.lineOf(document.value)).to.equal(4);
  });

  it('is not divided where a scalar has a line of dashes in it', () => {
    expect(parseText('a: |\n  ---\n  b\n---\nc: [').documents.map(({ value }) => value)).to.deep.equal([
      { a: '---\nb\n' },
    ]);
  });
});

describe('anchors, aliases and merge keys', () => {
  for (const { name, text, value } of [
    { name: 'an alias stands for its anchor', text: 'a: &x {k: 1}\nb: *x', value: { a: { k: 1 }, b: { k: 1 } } },
    { name: 'an anchor may be set again', text: 'a: &x 1\nb: *x\nc: &x 2\nd: *x', value: { a: 1, b: 1, c: 2, d: 2 } },
    {
      name: 'an alias in an anchored value keeps what it stood for',
      text: 'a: &x 1\nb: &y {k: *x}\nc: &x 2\nd: *y',
      value: { a: 1, b: { k: 1 }, c: 2, d: { k: 1 } },
    },
    { name: 'an alias may name a field', text: 'a: &x b\n*x : 1', value: { a: 'b', b: 1 } },
    {
      name: 'a merge key adds fields',
      text: 'a: &x {k: 1}\nb: {<<: *x, l: 2}',
      value: { a: { k: 1 }, b: { k: 1, l: 2 } },
    },
    { name: 'own fields go before merged ones', text: 'b: {<<: {k: 1}, k: 2}', value: { b: { k: 2 } } },
    { name: 'own fields go before merged ones that follow', text: 'b: {k: 2, <<: {k: 1}}', value: { b: { k: 2 } } },
    {
      name: 'of a list of merged mappings the first goes first',
      text: 'b: {<<: [{k: 1}, {k: 2, l: 3}]}',
      value: { b: { k: 1, l: 3 } },
    },
    { name: 'a merge key may stand twice', text: 'b: {<<: {k: 1}, <<: {k: 2, l: 3}}', value: { b: { k: 1, l: 3 } } },
    { name: 'a quoted << is a field', text: 'b: {"<<": {k: 1}}', value: { b: { '<<': { k: 1 } } } },
    { name: 'a set is a mapping without values', text: 'b: !!set {k}', value: { b: {} } },
  ]) {
    it(name, () => {
      expect(values(text)).to.deep.equal([value]);
    });
  }

  for (const { text, fault } of [
    { text: 'a: *x', fault: 'line 1, column 4: alias *x has no anchor before it' },
    { text: 'a: *x\nb: &x 1', fault: 'line 1, column 4: alias *x has no anchor before it' },
    { text: 'a: &x [*x]', fault: 'line 1, column 8: alias *x stands for a value that contains it' },
    { text: 'a: &x 1\nb: &x [*x]', fault: 'line 2, column 8: alias *x stands for a value that contains it' },
    { text: 'a: {<<: 5}', fault: 'line 1, column 9: a merge key (<<) takes a mapping or a list of mappings' },
    { text: 'a: {<<: [{}, 1]}', fault: 'line 1, column 9: a merge key (<<) takes a mapping or a list of mappings' },
  ]) {
    it(`${JSON.stringify(text)} is refused`, () => {
      expect(faults(text)).to.deep.equal([fault]);
    });
  }

  it('may be used a thousand times', () => {
    const uses = Array.from({ length: 1000 }, () => '- *x\n').join('');
    expect(values(`a: &x {k: [1, 2]}\nb:\n${uses}`)).to.have.length(1);
  });

  it('may not make a deep value out of flat ones', () => {
    const level = (n: number) => `l${n}: &l${n} [*l${n - 1}]\n`;
    const levels = (count: number) => Array.from({ length: count }, (_, index) => level(index + 1)).join('');
    expect(faults(`l0: &l0 {k: 1}\n${levels(298)}`)).to.deep.equal([]);
    expect(faults(`l0: &l0 {k: 1}\n${levels(299)}`)).to.deep.equal([
      'line 1, column 1: more than 300 levels of nesting',
    ]);
  });

  it('may not make a million values out of a few ("billion laughs")', () => {
    const level = (n: number) => `l${n}: &l${n} [${Array.from({ length: 10 }, () => `*l${n - 1}`).join(', ')}]\n`;
    const bomb = `l0: &l0 {k: 1}\n${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(level).join('')}`;
    expect(faults(bomb)).to.deep.equal([`line 7, column 20: aliases stand for more than ${MAX_ALIASED_VALUES} values`]);
  });
});

describe('fields of a YAML mapping', () => {
  for (const { text, fault } of [
    { text: 'a: 1\nb: 2\na: 3', fault: 'line 3, column 1: field "a" stands twice in one mapping' },
    { text: 'a: {b: 1, b: 1}', fault: 'line 1, column 11: field "b" stands twice in one mapping' },
    { text: 'yes: 1\n"true": 2', fault: 'line 2, column 1: field "true" stands twice in one mapping' },
    { text: '~: 1', fault: 'line 1, column 1: the name of a field has to be a scalar other than null' },
    { text: '? [a]\n: 1', fault: 'line 1, column 3: the name of a field has to be a scalar other than null' },
    { text: '{a: 1}: 1', fault: 'line 1, column 1: the name of a field has to be a scalar other than null' },
  ]) {
    it(`${JSON.stringify(text)} are refused`, () => {
      expect(faults(text)).to.deep.equal([fault]);
    });
  }

  it('are many without being slow', () => {
    const text = Array.from({ length: 50_000 }, (_, index) => `field${index}: 1\n`).join('');
    expect(Object.keys(values(text)[0] ?? {})).to.have.length(50_000);
  }).timeout(10_000);
});

describe('a YAML text that is broken', () => {
  for (const { name, text, fault } of [
    {
      name: 'cut off in a list',
      text: 'kind: Uplink\nspec: [1, 2',
      fault: 'line 2, column 12: unexpected end of the stream within a flow collection',
    },
    {
      name: 'cut off in quotes',
      text: 'a: 1\nb: "x',
      fault: 'line 2, column 6: unexpected end of the stream within a double quoted scalar',
    },
    {
      name: 'cut off in the name of a field',
      text: 'spec:\n  nodeConfigs: []\n  hostInt',
      fault: "line 3, column 10: expected ':' after a mapping key",
    },
    {
      name: 'with a tab for indentation',
      text: 'a:\n\tb: 1',
      fault: 'line 2, column 1: tab characters must not be used in indentation',
    },
    {
      name: 'with a value on top of a value',
      text: 'a: b: c',
      fault: 'line 1, column 5: bad indentation of a mapping entry',
    },
    {
      name: 'with a control character',
      text: 'a: 1\nb: x\u0007',
      fault: 'line 2, column 5: control character U+0007 is not allowed',
    },
    {
      name: 'with a null byte in quotes',
      text: 'a: "\0"',
      fault: 'line 1, column 5: control character U+0000 is not allowed',
    },
    {
      name: 'in several places',
      text: 'a:\n- [,#',
      fault: "line 2, column 4: expected the node content, but found ','",
    },
    {
      name: 'with a directive and nothing else',
      text: '%YAML 1.2\n',
      fault: 'line 2, column 1: directives end mark is expected',
    },
    {
      name: 'of random characters',
      text: '@#%&*!',
      fault: 'line 1, column 1: end of the stream or a document separator is expected',
    },
  ]) {
    it(`${name} is told with line and column`, () => {
      expect(faults(text)).to.deep.equal([fault]);
    });
  }

  for (const { name, text } of [
    { name: 'lists', text: '['.repeat(400) + ']'.repeat(400) },
    { name: 'mappings', text: '{a: '.repeat(400) + '}'.repeat(400) },
    { name: 'lists, more than the parser can bear,', text: `${'- '.repeat(5000)}a` },
  ]) {
    it(`of ${name} in one another without end is refused`, () => {
      const [first, ...others] = faults(text);
      expect(first).to.match(/^line 1, column \d+: more than 300 levels of nesting$/);
      expect(others).to.deep.equal([]);
    });
  }

  it('or one with more nodes than the memory holds is not read', () => {
    expect(parseText('- 1\n- 2\n- 3\n', 6).faults).to.deep.equal([]);
    expect(parseText('- 1\n- 2\n- 3\n', 5)).to.deep.equal({
      documents: [],
      faults: [
        'the text has more YAML nodes than can be read at once; split it into several files or write it as JSON',
      ],
    });
  });
});
