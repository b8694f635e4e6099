import { join } from 'node:path';
import { expect } from 'chai';
import { ESLint, Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const path = join(root, 'src/domain/snippet.ts');
const union = "type Kind = 'vrf' | 'route'; declare const kind: Kind;";

describe('the lint rules of src/domain', () => {
  let rules: Linter.RulesRecord;

  before(async () => {
    ({ rules } = (await new ESLint().calculateConfigForFile(path)) as { readonly rules: Linter.RulesRecord });
  });

  /** The findings of two of the rules in a text; it is type-checked by itself. */
  function found(text: string): readonly string[] {
    const host = ts.createCompilerHost({});
    host.getSourceFile = (name, version) =>
      name === path ? ts.createSourceFile(name, text, version, true) : undefined;
    const program = ts.createProgram([path], { strict: true, noLib: true, types: [] }, host);
    const selected = ['@typescript-eslint/switch-exhaustiveness-check', 'no-restricted-syntax'];
    const config = {
      files: ['**/*.ts'],
      plugins: { '@typescript-eslint': tseslint.plugin },
      languageOptions: { parser: tseslint.parser, parserOptions: { programs: [program] } },
      rules: Object.fromEntries(Object.entries(rules).filter(([name]) => selected.includes(name))),
    } as Linter.Config;
    const linter = new Linter({ cwd: root });
    return linter.verify(text, config, { filename: path }).map(({ ruleId, message }) => ruleId ?? message);
  }

  it('accept a switch that lists every member of a union', () => {
    expect(found(`${union} switch (kind) { case 'vrf': break; case 'route': break; }`)).to.deep.equal([]);
  });

  it('refuse `default` in a switch over a union, whether or not it lists all members', () => {
    const rule = '@typescript-eslint/switch-exhaustiveness-check';
    expect(found(`${union} switch (kind) { case 'vrf': break; default: }`)).to.deep.equal([rule]);
    expect(found(`${union} switch (kind) { case 'vrf': break; case 'route': break; default: }`)).to.deep.equal([rule]);
  });

  it('accept `default` in a switch over strings', () => {
    expect(found("declare const text: string; switch (text) { case 'vrf': break; default: }")).to.deep.equal([]);
  });

  it('refuse Exclude over kinds, entities, operations and verbs, and nothing else', () => {
    for (const type of [
      "Exclude<EntityKindName, 'vrf'>",
      "Exclude<keyof typeof entityKinds, 'vrf'>",
      "Exclude<Entity, { readonly kind: 'vrf' }>",
      "Exclude<Thing, { readonly kind: 'vrf' }>",
      'Exclude<Operation, PutBack>',
      "Exclude<Operation['verb'], 'put-back'>",
      "Exclude<Thing['kind'], 'vrf'>",
    ]) {
      expect(found(`type Others = ${type};`), type).to.deep.equal(['no-restricted-syntax']);
    }
    expect(found("type Others = Exclude<Result, { readonly outcome: 'finished' }>;")).to.deep.equal([]);
  });
});

describe('the lint rules of tests', () => {
  it('refuse that several are not included, which holds if one is absent, and nothing else', async () => {
    const { rules } = (await new ESLint().calculateConfigForFile(join(root, 'test/snippet.test.ts'))) as {
      readonly rules: Linter.RulesRecord;
    };
    const config = {
      files: ['**/*.ts'],
      languageOptions: { parser: tseslint.parser },
      rules: { 'no-restricted-syntax': rules['no-restricted-syntax'] },
    } as Linter.Config;
    const found = (text: string) => new Linter({ cwd: root }).verify(text, config, { filename: 'test/snippet.ts' });
    for (const refused of [
      'expect(all).not.to.include.members([a, b]);',
      "expect(all, 'text').to.not.include.members([a, b]);",
      'expect(all).to.include(a).and.not.to.include.deep.members([a, b]);',
      'expect(all).not.to.contain.keys(a, b);',
    ])
      expect(found(refused), refused).to.have.length(1);
    for (const accepted of [
      'expect(all).to.include.members([a, b]);',
      'expect(all).not.to.have.members([a, b]);',
      'expect(all).not.to.include(a);',
      'expect(not.include).to.have.keys(a, b);',
      'expect(all).to.include(a).and.not.have.any.keys(b, c);',
    ])
      expect(found(accepted), accepted).to.deep.equal([]);
  });
});
