/**
 * Rules of this project. What they find today is listed in `eslint-suppressions.json`, which only gets shorter.
 */
import type { Rule } from 'eslint';
import { entityKinds } from '../../src/domain/entities/entity-kinds.ts';

/** First words of a comment that is no description: it should begin with a noun or a verb. */
const VAGUE_BEGINNING = /^(What|The same|That)\b/;

/** Words for people who are meant, and not named. */
const VAGUE_PERSON = /\b(somebody|nobody|whoever)\b/i;

/** Doc comments begin with a noun or a verb, and name who is meant. */
const docComments: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    messages: {
      beginning: 'A doc comment begins with a noun or a verb, not with "{{words}}".',
      person: 'Say who is meant instead of "{{words}}".',
    },
  },
  create: (context) => ({
    Program: () => {
      for (const comment of context.sourceCode.getAllComments()) {
        const { type, value, loc } = comment;
        if (type !== 'Block' || !value.startsWith('*') || loc == null) continue;
        const text = value.replaceAll(/^\s*\*+\s?/gm, '').trim();
        const [beginning] = VAGUE_BEGINNING.exec(text) ?? [];
        const [person] = VAGUE_PERSON.exec(text) ?? [];
        if (beginning !== undefined) context.report({ loc, messageId: 'beginning', data: { words: beginning } });
        if (person !== undefined) context.report({ loc, messageId: 'person', data: { words: person } });
      }
    },
  }),
};

const kinds: ReadonlySet<unknown> = new Set(Object.keys(entityKinds));

/** Kinds of entities are distinguished by what they say of themselves (entity-kind.ts), not by their names. */
const entityKindLiterals: Rule.RuleModule = {
  meta: {
    type: 'problem',
    messages: {
      literal:
        'Ask the kind "{{kind}}" for the property that matters here: a new kind would be forgotten at this place.',
    },
  },
  create: (context) => ({
    Literal: (node) => {
      if (kinds.has(node.value)) context.report({ node, messageId: 'literal', data: { kind: String(node.value) } });
    },
  }),
};

export const localRules = {
  rules: { 'doc-comments': docComments, 'entity-kind-literals': entityKindLiterals },
};
