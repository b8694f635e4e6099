import tseslint from 'typescript-eslint';
import { localRules } from './scripts/lint/local-rules.ts';

/** Globals that would make a function depend on more than its arguments. */
const impureGlobals = [
  'Date',
  'Temporal',
  'console',
  'crypto',
  'fetch',
  'globalThis',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
].map((name) => ({ name, message: 'src/domain is pure: pass it as an argument.' }));

/** A new kind of entity, a new verb or a new cause must not compile before every place that distinguishes them handles it. */
const noExclusionOfKinds = {
  selector:
    'TSTypeReference[typeName.name="Exclude"]:has(Identifier[name=/entity|kind|operation|verb|cause/i], Literal[value=/^(kind|verb)$/])',
  message: 'List the kinds, verbs or causes that are meant: Exclude also covers every one that is added later.',
};

/** `expect(list).not.to.include.members([a, b])` passes if one of the two is in the list. */
const noNegatedMembers = {
  selector:
    'CallExpression > MemberExpression.callee[property.name=/^(members|keys)$/]:has(MemberExpression[property.name=/^(include|contain)s?$/]):has(MemberExpression[property.name="not"]):not(:has(MemberExpression[property.name="any"]))',
  message: 'It holds if one of several is absent: expect of each that it is not included.',
};

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'reports/', '.stryker-tmp/'] },
  ...tseslint.configs.strictTypeChecked,
  { plugins: { local: localRules } },
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `default` is for strings and numbers. In a switch over a union it would cover whatever is added to the union later.
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { allowDefaultCaseForExhaustiveSwitch: false }],
      '@typescript-eslint/no-invalid-void-type': ['error', { allowAsThisParameter: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 16],
      'max-params': ['error', { max: 4 }],
      'local/doc-comments': 'error',
    },
  },
  {
    files: ['src/**'],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ['src/domain/**', 'src/control/**'],
    ignores: ['src/domain/entities/*.ts', 'src/domain/entities/{kernel,switch,ovn}/*.ts'],
    rules: { 'local/entity-kind-literals': 'error' },
  },
  { files: ['src/**'], rules: { 'no-restricted-syntax': ['error', noExclusionOfKinds] } },
  {
    files: ['src/domain/**'],
    rules: {
      'no-restricted-globals': ['error', ...impureGlobals],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'src/domain is pure: pass it as an argument.' },
      ],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['node:*', 'fs', 'path', 'crypto', 'child_process'], message: 'src/domain does no I/O.' },
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        noExclusionOfKinds,
        { selector: 'ThrowStatement', message: 'A failure in src/domain is a value.' },
        { selector: 'TryStatement', message: 'A failure in src/domain is a value.' },
      ],
    },
  },
  {
    files: ['test/**', 'bench/**'],
    rules: {
      'no-restricted-syntax': ['error', noNegatedMembers],
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  { files: ['**/*.js', '**/*.cjs'], ...tseslint.configs.disableTypeChecked },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
