import { expect } from 'chai';
import fc from 'fast-check';
import { JsonStream } from '../../../../src/adapters/ovsdb/json-stream.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Feeds chunks one after the other; returns all messages. */
function feedAll(stream: JsonStream, chunks: readonly Uint8Array[]) {
  return chunks.reduce<{ messages: readonly unknown[]; broken?: string }>(
    (before, chunk) => {
      const { messages, ...rest } = stream.feed(chunk);
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
    ['only blanks', ' \t\r\n', []],
    ['an object', '{"a":1}', [{ a: 1 }]],
    ['a list', '[1,[2]]', [[1, [2]]]],
    ['two without a separator', '{"a":1}{"b":2}', [{ a: 1 }, { b: 2 }]],
    ['two with blanks around them', ' {"a":1}\n\n[2]\r\n', [{ a: 1 }, [2]]],
    ['brackets and quotes in a string', '{"a":"}]{[\\"}"}{}', [{ a: '}]{["}' }, {}]],
    ['a backslash at the end of a string', '{"a":"\\\\"}[]', [{ a: '\\' }, []]],
    ['escapes', '["\\u00e9\\ud83d\\ude00"]', [['é😀']]],
    ['an incomplete one', '{"a":1}{"b":', [{ a: 1 }]],
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
        const chunks = split(bytes(texts.join(blank)), places);
        const expected = texts.map((text): unknown => JSON.parse(text));
        expect(feedAll(new JsonStream(), chunks)).to.deep.equal({ messages: expected });
      }),
    );
  });

  it('are the same byte by byte', () => {
    const chunks = [...bytes('{"é😀":"\\"\\\\"}[{}]')].map((byte) => Uint8Array.of(byte));
    expect(feedAll(new JsonStream(), chunks)).to.deep.equal({ messages: [{ 'é😀': '"\\' }, [{}]] });
  });

  const broken: readonly (readonly [what: string, stream: Uint8Array, reason: string])[] = [
    ['text', bytes('{}hello'), 'sent something that is not a JSON-RPC message'],
    ['a number', bytes('{}5'), 'sent something that is not a JSON-RPC message'],
    ['an extra bracket', bytes('{}}'), 'sent something that is not a JSON-RPC message'],
    ['brackets that are not JSON', bytes('{}{]'), 'sent a message that is not JSON in UTF-8'],
    [
      'a byte that is not UTF-8',
      Uint8Array.of(...bytes('{}["'), 0xff, ...bytes('"]')),
      'sent a message that is not JSON in UTF-8',
    ],
  ];
  for (const [what, stream, reason] of broken) {
    it(`end permanently at ${what}, after earlier ones`, () => {
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

  it('end at one that is larger, before it is complete', () => {
    const stream = new JsonStream(MEBIBYTE);
    const reason = 'sent a message of more than 1 MiB';
    expect(stream.feed(quoted(MEBIBYTE + 1).subarray(0, MEBIBYTE))).to.deep.equal({ messages: [] });
    expect(stream.feed(bytes('xx'))).to.deep.equal({ messages: [], broken: reason });
  });

  it('may be larger than the limit together', () => {
    const { messages } = feedAll(new JsonStream(MEBIBYTE), [
      quoted(MEBIBYTE - 9),
      quoted(MEBIBYTE - 9),
      quoted(MEBIBYTE),
    ]);
    expect(messages).to.have.length(3);
  });
});
