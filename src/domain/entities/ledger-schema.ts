/**
 * Building blocks of the schemas of what the ledger keeps.
 */
import Type from 'typebox';

export const text = Type.String();
export const whole = Type.Integer();
export const texts = Type.Array(text);
export const family = Type.Union([Type.Literal(4), Type.Literal(6)]);
export const yes = Type.Optional(Type.Literal(true));
export const optionalText = Type.Optional(text);
export const optionalWhole = Type.Optional(whole);
export const optionalTexts = Type.Optional(texts);
