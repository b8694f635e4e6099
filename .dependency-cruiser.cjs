/** Which folder may import which (CONTRIBUTING.md, Structure). Everything else is forbidden. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { pathNot: allowed },
});

/** Small pure libraries that the engine may use: IP arithmetic, schema types, hashes, YAML in annotations. */
const pureLibraries = '^node_modules/(ipaddr\\.js|typebox|@noble/hashes|js-yaml)/';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'No two files need each other, not even for types.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional'] },
    },
    only(
      'domain-is-pure',
      '^src/domain/',
      ['^src/domain/', pureLibraries],
      'The engine imports nothing but itself and small pure libraries.',
    ),
    only('ports-know-the-domain', '^src/ports/', ['^src/ports/', '^src/domain/'], 'Ports use domain types only.'),
    only(
      'control-knows-ports',
      '^src/control/',
      ['^src/control/', '^src/ports/', '^src/domain/'],
      'Loops import ports, never an adapter.',
    ),
    {
      name: 'adapters-know-ports',
      comment: 'Adapters implement ports; they import no command, no loop and no test tool.',
      severity: 'error',
      from: { path: '^src/adapters/' },
      to: { path: '^src/(cmd|control|testing)/' },
    },
    {
      name: 'inversify-lives-in-cmd',
      comment: 'The engine and the loops can be embedded without a container.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cmd/' },
      to: { path: '^node_modules/(inversify|reflect-metadata)/' },
    },
    only(
      'testing-knows-the-domain',
      '^src/testing/',
      ['^src/testing/', '^src/domain/', '^node_modules/(fast-check|js-yaml)/'],
      'The test tools that others import bring no adapter.',
    ),
    {
      name: 'nobody-needs-the-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
};
