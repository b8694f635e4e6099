import { expect } from 'chai';
import { meetsAll } from '../../../../src/domain/selection/label-selector.ts';
import { parseSelector } from '../../../../src/domain/selection/selector-text.ts';

const objects = {
  a: { app: 'db' },
  b: { app: 'db', tier: 'back' },
  c: { app: 'web', 'example.org/tier': 'x' },
  d: { app: '' },
  e: {},
} as const;

/** The names of the objects that a text selects, or what is wrong with it. */
function selected(text: string): string {
  const selector = parseSelector(text);
  if (!selector.parsed) return JSON.stringify(Object.values(selector.problem));
  return Object.entries(objects)
    .filter(([, labels]) => meetsAll(labels, selector.requirements))
    .map(([name]) => name)
    .join('');
}

describe('the text of a label selector', () => {
  for (const [text, expected] of [
    ['app=db', 'ab'],
    ['app==db', 'ab'],
    [' app = db , tier=back ', 'b'],
    ['app!=db', 'cde'],
    ['app', 'abcd'],
    ['!tier', 'acde'],
    ['! tier,app', 'acd'],
    ['app=', 'd'],
    ['app in (db, web),tier notin (back)', 'ac'],
    ['app in(db)', 'ab'],
    ['app in ()', 'd'],
    ['example.org/tier=x', 'c'],
  ] as const)
    it(`${JSON.stringify(text)} selects ${expected}`, () => {
      expect(selected(text)).to.equal(expected);
    });

  for (const [text, problem] of [
    ['', '["not-understood",""]'],
    [' ', '["not-understood",""]'],
    ['app=db,', '["not-understood",""]'],
    ['app=db tier=back', '["not-understood","app=db tier=back"]'],
    ['app=db=x', '["not-understood","app=db=x"]'],
    ['app in db', '["not-understood","app in db"]'],
    ['app in (db', '["not-understood","app in (db"]'],
    ['app in (a)(b)', '["not-understood","app in (a)(b)"]'],
    ['in (a)', '["not-understood","in (a)"]'],
    ['=db', '["not-understood","=db"]'],
    ['a/b/c=d', '["key-invalid","a/b/c","In"]'],
    ['size>1', '["key-invalid","size>1","Exists"]'],
    ['app=-', '["value-invalid","app","-"]'],
    ['app in (db,_)', '["value-invalid","app","_"]'],
  ] as const)
    it(`${JSON.stringify(text)} is none`, () => {
      expect(selected(text)).to.equal(problem);
    });
});
