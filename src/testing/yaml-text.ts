import { DEFAULT_SCALAR_STYLE_RULES, type Document, dump, SCALAR_STYLE, type ScalarStyleRule } from 'js-yaml';

/** Quotes strings with double quotes in single ones, as JSON in a string would be hard to read otherwise. */
const quoteJson: ScalarStyleRule = (layout) => {
  const { value } = layout.node;
  const isQuoted = layout.style === SCALAR_STYLE.DOUBLE_QUOTED;
  if (isQuoted && /^[\x20-\x7e]*"[\x20-\x7e]*$/.test(value)) layout.style = SCALAR_STYLE.SINGLE_QUOTED;
};

/** A value as YAML for people and for git: long lines are not folded, and nothing is an alias. What is undefined is left out, as in JSON. */
export function yamlText(value: unknown, transform?: (documents: Document[]) => void): string {
  return dump(JSON.parse(JSON.stringify(value)), {
    lineWidth: -1,
    noRefs: true,
    flowBracketPadding: true,
    quoteStyle: 'double',
    scalarStyleRules: [...Object.values(DEFAULT_SCALAR_STYLE_RULES), quoteJson],
    ...(transform && { transform }),
  });
}
