import { expect } from 'chai';
import fc from 'fast-check';
import { JsonStream } from '../../../../src/adapters/ovsdb/json-stream.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** What comes out of pieces, one after the other. */
function feedAll(stream: JsonStream, pieces: readonly Uint8Array[]) {
  return pieces.reduce<{ messages: readonly unknown[]; broken?: string }>(
    (before, piece) => {
      const { messages, ...rest } = stream.feed(piece);
      return { ...rest, messages: [...before.messages, ...messages] };
    },
    { messages: [] },
  );
}

function split(whole: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const cuts = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((left, right) => left - right);
  return [...cuts, whole.length].map((cut, index) => whole.subarray(cuts[index - 1] ?? 0, cut));
}

describe('messages from a stream', () => {
  const streams: readonly (readonly [what: string, text: string, messages: readonly unknown[]])[] = [
    ['nothing', '', []],
    ['blanks alone', ' \t\r\n', []],
    ['an object', '{"a":1}', [{ a: 1 }]],
    ['a list', '[1,[2]]', [[1, [2]]]],
    ['two without anything between them', '{"a":1}{"b":2}', [{ a: 1 }, { b: 2 }]],
    ['two with blanks around them', ' {"a":1}\n\n[2]\r\n', [{ a: 1 }, [2]]],
    ['brackets and quotes in a string', '{"a":"}]{[\\"}"}{}', [{ a: '}]{["}' }, {}]],
    ['a backslash at the end of a string', '{"a":"\\\\"}[]', [{ a: '\\' }, []]],
    ['escapes of characters', '["\\u00e9\\ud83d\\ude00"]', [['é😀']]],
    ['one that is not whole', '{"a":1}{"b":', [{ a: 1 }]],
  ];
  for (const [what, text, messages] of streams) {
    it(`are read from ${what}`, () => {
      expect(new JsonStream().feed(bytes(text))).to.deep.equal({ messages });
    });
  }

  it('are the same for any chunks', () => {
    const documents = fc.array(
      fc.oneof(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.array(fc.jsonValue())),
    );
    const between = fc.constantFrom('', ' ', '\n');
    fc.assert(
      fc.property(documents, between, fc.array(fc.nat()), (values, blank, places) => {
        const texts = values.map((value) => JSON.stringify(value));
        const pieces = split(bytes(texts.join(blank)), places);
        const expected = texts.map((text): unknown => JSON.parse(text));
        expect(feedAll(new JsonStream(), pieces)).to.deep.equal({ messages: expected });
      }),
    );
  });

  it('are the same if each byte comes alone', () => {
    const pieces = [...bytes('{"é😀":"\\"\\\\"}[{}]')].map((byte) => Uint8Array.of(byte));
    expect(feedAll(new JsonStream(), pieces)).to.deep.equal({ messages: [{ 'é😀': '"\\' }, [{}]] });
  });

  const broken: readonly (readonly [what: string, stream: Uint8Array, reason: string])[] = [
    ['text', bytes('{}hello'), 'sent something that is not a JSON-RPC message'],
    ['a number', bytes('{}5'), 'sent something that is not a JSON-RPC message'],
    ['a bracket too many', bytes('{}}'), 'sent something that is not a JSON-RPC message'],
    ['brackets that are no JSON', bytes('{}{]'), 'sent a message that is not JSON in UTF-8'],
    [
      'a byte that is not UTF-8',
      Uint8Array.of(...bytes('{}["'), 0xff, ...bytes('"]')),
      'sent a message that is not JSON in UTF-8',
    ],
  ];
  for (const [what, stream, reason] of broken) {
    it(`end at ${what}, after those before it, for good`, () => {
      const reader = new JsonStream();
      expect(reader.feed(stream)).to.deep.equal({ messages: [{}], broken: reason });
      expect(reader.feed(bytes('{}'))).to.deep.equal({ messages: [], broken: reason });
    });
  }

  const MEBIBYTE = 1024 * 1024;
  const quoted = (size: number) => bytes(`["${'x'.repeat(size - 4)}"]`);

  it('may be as large as the limit', () => {
    const { messages, broken: reason } = new JsonStream(MEBIBYTE).feed(quoted(MEBIBYTE));
    expect([messages.length, reason]).to.deep.equal([1, undefined]);
  });

  it('end at one that is larger, before it is whole', () => {
    const stream = new JsonStream(MEBIBYTE);
    const reason = 'sent a message of more than 1 MiB';
    expect(stream.feed(quoted(MEBIBYTE + 1).subarray(0, MEBIBYTE))).to.deep.equal({ messages: [] });
    expect(stream.feed(bytes('xx'))).to.deep.equal({ messages: [], broken: reason });
  });

  it('may be more together than one of them may be', () => {
    const { messages } = feedAll(new JsonStream(MEBIBYTE), [
      quoted(MEBIBYTE - 9),
      quoted(MEBIBYTE - 9),
      quoted(MEBIBYTE),
    ]);
    expect(messages).to.have.length(3);
  });
});
