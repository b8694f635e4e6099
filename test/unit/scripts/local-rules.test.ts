import { RuleTester } from 'eslint';
import { localRules } from '../../../scripts/lint/local-rules.ts';

const tester = new RuleTester();

describe('doc comments', () => {
  tester.run('begin with a noun or a verb, and name who is meant', localRules.rules['doc-comments'], {
    valid: [
      '/** Whether a device is up. */\nlet a;',
      '/**\n * Returns what is found.\n */\nlet a;',
      '// What follows is not one.\nlet a;',
    ],
    invalid: [
      { code: '/** What is found. */\nlet a;', errors: [{ messageId: 'beginning', data: { words: 'What' } }] },
      { code: '/**\n * The same.\n */\nlet a;', errors: [{ messageId: 'beginning', data: { words: 'The same' } }] },
      { code: '/** A port that nobody uses. */\nlet a;', errors: [{ messageId: 'person', data: { words: 'nobody' } }] },
    ],
  });
});

describe('names of kinds of entities', () => {
  tester.run('are not compared', localRules.rules['entity-kind-literals'], {
    valid: ["const a = 'router';"],
    invalid: [{ code: "const a = 'remote-port';", errors: [{ messageId: 'literal', data: { kind: 'remote-port' } }] }],
  });
});
