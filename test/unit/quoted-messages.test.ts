import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The fixed text of all messages: string literals of the sources, and of templates what is between their holes. */
function fixedTexts(): readonly string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.ts')) visit(ts.createSourceFile(name, read(join('src', name)), ts.ScriptTarget.Latest));
  }
  return texts;
}

/** The quotations of a page: the first column of tables of messages, and what the log has or says. */
function quotationsIn(page: string): readonly string[] {
  const tables = [...page.matchAll(/^\| (?:it prints|message) \|.*\n\|[-|]+\n((?:\|.*\n)+)/gm)];
  return [
    ...tables.flatMap(([, rows = '']) => [...rows.matchAll(/^\| `([^`]+)` \|/gm)].map(([, text = '']) => text)),
    ...[...page.matchAll(/\b[Tt]he log (?:has|says)[^.`]*`([^`]+)`/g)].map(([, text = '']) => text),
  ];
}

/** Texts that ovn-uplinks passes on: from ip(8), and its own file and kind names. */
const QUOTED_BY_US = ['RTNETLINK answers', '/db.sock', 'UplinkState', 'Node/'];

/**
 * The clauses of a quotation, which messages are composed of, without what differs from case to case: …, names in capitals, numbers and
 * addresses.
 */
function clausesOf(quotation: string): readonly string[] {
  return quotation
    .split(/…|: |, expected | and | is |"[^"]*"|\b(?:N|NAME|FILE|DIR|INTERFACE|PATH|FOUND|WANTED)\b|\d[\d.:]*/)
    .map((clause) => clause.trim())
    .filter((clause) => /[a-z]{2}/i.test(clause) && !QUOTED_BY_US.includes(clause));
}

describe('messages that docs/troubleshooting.md quotes', () => {
  const quotations = quotationsIn(read('docs/troubleshooting.md'));

  it('are found in its tables and in its text', () => {
    expect(quotations).to.have.length.of.at.least(17);
    expect(quotations).to.include.members([
      'the agent with process id N runs on this node already',
      'drift: PATH is FOUND, expected WANTED',
    ]);
  });

  it('are messages of the program, clause by clause', () => {
    const texts = fixedTexts();
    const unknown = quotations.flatMap((quotation) =>
      clausesOf(quotation)
        .filter((clause) => !texts.some((text) => text.includes(clause)))
        .map((clause) => ({ quotation, clause })),
    );
    expect(unknown).to.deep.equal([]);
  });
});
