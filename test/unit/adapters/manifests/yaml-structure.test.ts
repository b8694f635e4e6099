import { expect } from 'chai';
import { parseText } from '../../../../src/adapters/manifests/parse-text.ts';
import { MAX_ALIASED_VALUES } from '../../../../src/adapters/manifests/yaml-values.ts';

function values(text: string): readonly unknown[] {
  const { documents, errors } = parseText(text);
  expect(errors).to.deep.equal([]);
  return documents.map(({ value }) => value);
}

function errors(text: string): readonly string[] {
  return parseText(text).errors;
}

describe('the documents of a YAML text', () => {
  it('are separated by ---, and have line numbers', () => {
    const { documents } = parseText('# first\na: 1\n---\nb: 2\n...\n---\n\nc: 3\n');
    expect(documents.map(({ value, line }) => ({ value, line }))).to.deep.equal([
      { value: { a: 1 }, line: 2 },
      { value: { b: 2 }, line: 4 },
      { value: { c: 3 }, line: 8 },
    ]);
  });

  it('have the line number of each mapping', () => {
    const [document] = parseText('items:\n- a: 1\n\n- b: 2\n').documents;
    const items: readonly unknown[] = Object.values(document?.value ?? {}).flat();
    expect(items.map((item) => document?.lineOf(item))).to.deep.equal([2, 4]);
  });

  for (const empty of ['', '\n\n', '# nothing\n', '---\n', '---\n---\n# nothing\n', '~']) {
    it(`are empty in ${JSON.stringify(empty)}`, () => {
      expect(values(empty).filter((value) => value !== null)).to.deep.equal([]);
    });
  }

  it('are read even if another one is invalid', () => {
    const { documents, errors: found } = parseText('a: 1\n---\nb: [1\n---\nc: 3\n');
    expect(documents.map(({ value }) => value)).to.deep.equal([{ a: 1 }, { c: 3 }]);
    expect(found).to.deep.equal(['line 4, column 1: deficient indentation']);
  });

  it('may have Windows line ends', () => {
    expect(values('a: 1\r\nb:\r\n- 2\r\n')).to.deep.equal([{ a: 1, b: [2] }]);
  });
});

describe('a YAML text with a syntax error', () => {
  it('has the line numbers of the whole text in later documents', () => {
    const { documents, errors: found } = parseText('a: [\n---\n\nb: {c: 1}\n---\n- d: ]\n');
    expect(found).to.deep.equal([
      'line 2, column 1: deficient indentation',
      'line 6, column 6: bad indentation of a mapping entry',
    ]);
    const [document] = documents;
    expect(document?.line).to.equal(4);
    expect(document?.lineOf(document.value)).to.equal(4);
  });

  it('is not split at a line of dashes in a scalar', () => {
    expect(parseText('a: |\n  ---\n  b\n---\nc: [').documents.map(({ value }) => value)).to.deep.equal([
      { a: '---\nb\n' },
    ]);
  });
});

describe('anchors, aliases and merge keys', () => {
  for (const { name, text, value } of [
    { name: 'an alias has the value of its anchor', text: 'a: &x {k: 1}\nb: *x', value: { a: { k: 1 }, b: { k: 1 } } },
    { name: 'an anchor may be redefined', text: 'a: &x 1\nb: *x\nc: &x 2\nd: *x', value: { a: 1, b: 1, c: 2, d: 2 } },
    {
      name: 'an alias keeps its value when its anchor is redefined',
      text: 'a: &x 1\nb: &y {k: *x}\nc: &x 2\nd: *y',
      value: { a: 1, b: { k: 1 }, c: 2, d: { k: 1 } },
    },
    { name: 'an alias may be a field name', text: 'a: &x b\n*x : 1', value: { a: 'b', b: 1 } },
    {
      name: 'a merge key adds fields',
      text: 'a: &x {k: 1}\nb: {<<: *x, l: 2}',
      value: { a: { k: 1 }, b: { k: 1, l: 2 } },
    },
    { name: 'own fields take precedence over merged ones', text: 'b: {<<: {k: 1}, k: 2}', value: { b: { k: 2 } } },
    {
      name: 'own fields take precedence over merged ones after them',
      text: 'b: {k: 2, <<: {k: 1}}',
      value: { b: { k: 2 } },
    },
    {
      name: 'the first of several merged mappings takes precedence',
      text: 'b: {<<: [{k: 1}, {k: 2, l: 3}]}',
      value: { b: { k: 1, l: 3 } },
    },
    { name: 'a merge key may appear twice', text: 'b: {<<: {k: 1}, <<: {k: 2, l: 3}}', value: { b: { k: 1, l: 3 } } },
    { name: 'a quoted << is a field', text: 'b: {"<<": {k: 1}}', value: { b: { '<<': { k: 1 } } } },
    { name: 'a set is a mapping without values', text: 'b: !!set {k}', value: { b: {} } },
  ]) {
    it(name, () => {
      expect(values(text)).to.deep.equal([value]);
    });
  }

  for (const { text, error } of [
    { text: 'a: *x', error: 'line 1, column 4: alias *x has no anchor before it' },
    { text: 'a: *x\nb: &x 1', error: 'line 1, column 4: alias *x has no anchor before it' },
    { text: 'a: &x [*x]', error: 'line 1, column 8: alias *x refers to a value that contains it' },
    { text: 'a: &x 1\nb: &x [*x]', error: 'line 2, column 8: alias *x refers to a value that contains it' },
    {
      text: 'a: {<<: 5}',
      error: 'line 1, column 9: the value of a merge key (<<) must be a mapping or a list of mappings',
    },
    {
      text: 'a: {<<: [{}, 1]}',
      error: 'line 1, column 9: the value of a merge key (<<) must be a mapping or a list of mappings',
    },
  ]) {
    it(`${JSON.stringify(text)} is invalid`, () => {
      expect(errors(text)).to.deep.equal([error]);
    });
  }

  it('an alias may be used a thousand times', () => {
    const uses = Array.from({ length: 1000 }, () => '- *x\n').join('');
    expect(values(`a: &x {k: [1, 2]}\nb:\n${uses}`)).to.have.length(1);
  });

  it('aliases must not nest too deeply', () => {
    const level = (n: number) => `l${n}: &l${n} [*l${n - 1}]\n`;
    const levels = (count: number) => Array.from({ length: count }, (_, index) => level(index + 1)).join('');
    expect(errors(`l0: &l0 {k: 1}\n${levels(298)}`)).to.deep.equal([]);
    expect(errors(`l0: &l0 {k: 1}\n${levels(299)}`)).to.deep.equal([
      'line 1, column 1: more than 300 levels of nesting',
    ]);
  });

  it('aliases must not expand to a million values ("billion laughs")', () => {
    const level = (n: number) => `l${n}: &l${n} [${Array.from({ length: 10 }, () => `*l${n - 1}`).join(', ')}]\n`;
    const text = `l0: &l0 {k: 1}\n${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(level).join('')}`;
    expect(errors(text)).to.deep.equal([`line 7, column 20: aliases expand to more than ${MAX_ALIASED_VALUES} values`]);
  });
});

describe('fields of a YAML mapping', () => {
  for (const { text, error } of [
    { text: 'a: 1\nb: 2\na: 3', error: 'line 3, column 1: field "a" appears twice in one mapping' },
    { text: 'a: {b: 1, b: 1}', error: 'line 1, column 11: field "b" appears twice in one mapping' },
    { text: 'yes: 1\n"true": 2', error: 'line 2, column 1: field "true" appears twice in one mapping' },
    { text: '~: 1', error: 'line 1, column 1: the name of a field must be a scalar other than null' },
    { text: '? [a]\n: 1', error: 'line 1, column 3: the name of a field must be a scalar other than null' },
    { text: '{a: 1}: 1', error: 'line 1, column 1: the name of a field must be a scalar other than null' },
  ]) {
    it(`are invalid: ${JSON.stringify(text)}`, () => {
      expect(errors(text)).to.deep.equal([error]);
    });
  }

  it('are read fast even if there are many', () => {
    const text = Array.from({ length: 50_000 }, (_, index) => `field${index}: 1\n`).join('');
    expect(Object.keys(values(text)[0] ?? {})).to.have.length(50_000);
  }).timeout(10_000);
});

describe('an invalid YAML text', () => {
  for (const { name, text, error } of [
    {
      name: 'truncated in a list',
      text: 'kind: Uplink\nspec: [1, 2',
      error: 'line 2, column 12: unexpected end of the stream within a flow collection',
    },
    {
      name: 'truncated in quotes',
      text: 'a: 1\nb: "x',
      error: 'line 2, column 6: unexpected end of the stream within a double quoted scalar',
    },
    {
      name: 'truncated in a field name',
      text: 'spec:\n  nodeConfigs: []\n  hostInt',
      error: "line 3, column 10: expected ':' after a mapping key",
    },
    {
      name: 'with a tab for indentation',
      text: 'a:\n\tb: 1',
      error: 'line 2, column 1: tab characters must not be used in indentation',
    },
    {
      name: 'with two mappings on one line',
      text: 'a: b: c',
      error: 'line 1, column 5: bad indentation of a mapping entry',
    },
    {
      name: 'with a control character',
      text: 'a: 1\nb: x\u0007',
      error: 'line 2, column 5: control character U+0007 is not allowed',
    },
    {
      name: 'with a null byte in quotes',
      text: 'a: "\0"',
      error: 'line 1, column 5: control character U+0000 is not allowed',
    },
    {
      name: 'with several errors',
      text: 'a:\n- [,#',
      error: "line 2, column 4: expected the node content, but found ','",
    },
    {
      name: 'with only a directive',
      text: '%YAML 1.2\n',
      error: 'line 2, column 1: directives end mark is expected',
    },
    {
      name: 'of random characters',
      text: '@#%&*!',
      error: 'line 1, column 1: end of the stream or a document separator is expected',
    },
  ]) {
    it(`${name} is reported with line and column`, () => {
      expect(errors(text)).to.deep.equal([error]);
    });
  }

  for (const { name, text } of [
    { name: 'lists', text: '['.repeat(400) + ']'.repeat(400) },
    { name: 'mappings', text: '{a: '.repeat(400) + '}'.repeat(400) },
    { name: 'lists, more than the call stack has room for,', text: `${'- '.repeat(5000)}a` },
  ]) {
    it(`with too many levels of ${name} is reported`, () => {
      const [first, ...others] = errors(text);
      expect(first).to.match(/^line 1, column \d+: more than 300 levels of nesting$/);
      expect(others).to.deep.equal([]);
    });
  }

  it('with too many nodes is not read', () => {
    expect(parseText('- 1\n- 2\n- 3\n', 6).errors).to.deep.equal([]);
    expect(parseText('- 1\n- 2\n- 3\n', 5)).to.deep.equal({
      documents: [],
      errors: [
        'the text has more YAML nodes than can be read at once; split it into several files or write it as JSON',
      ],
    });
  });
});
