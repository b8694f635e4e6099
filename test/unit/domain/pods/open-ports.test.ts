import { expect } from 'chai';
import { dump } from 'js-yaml';
import { openPortsOf } from '../../../../src/domain/pods/open-ports.ts';
import { pod } from '../brief-objects.ts';

const opened = (text: string) => {
  const { metadata, ...others } = pod('web', 'blue', 'a');
  return openPortsOf({
    ...others,
    metadata: { ...metadata, annotations: { 'k8s.ovn.org/open-default-ports': text } },
  });
};

describe('the ports that a pod opens in the default network', () => {
  const lists: Readonly<Record<string, readonly [text: string, tcp: readonly number[], sctp: readonly number[]]>> = {
    YAML: ['- protocol: tcp\n  port: 80\n- protocol: sctp\n  port: 5000\n', [80], [5000]],
    JSON: ['[{"protocol":"tcp","port":443},{"protocol":"tcp","port":80}]', [80, 443], []],
    'capitals, as containers have them': ['- {protocol: TCP, port: 80}', [80], []],
    'one several times': ['- &one {protocol: tcp, port: 80}\n- *one\n', [80], []],
    'further fields': ['- {protocol: tcp, port: 80, name: http}', [80], []],
    'the first and the last port': ['[{protocol: tcp, port: 65535}, {protocol: tcp, port: 1}]', [1, 65_535], []],
    'an empty list': ['[]', [], []],
  };
  for (const [what, [text, tcp, sctp]] of Object.entries(lists)) {
    it(`may be ${what}`, () => {
      expect(opened(text)).to.deep.equal({ ports: { tcp, sctp }, problems: [] });
    });
  }

  it('are none without the annotation', () => {
    expect(openPortsOf(pod('web', 'blue', 'a'))).to.deep.equal({ ports: { tcp: [], sctp: [] }, problems: [] });
  });

  const objects = 'a list of objects with protocol and port';
  const wrong: readonly (readonly [text: string, problem: string])[] = [
    ['', 'expected YAML, found string "": '],
    ['- {protocol: tcp', 'expected YAML, found string "- {protocol: tcp": '],
    ['- {protocol: tcp, port: 80, port: 81}', 'duplicated mapping key'],
    ['- {protocol: tcp, port: 80}\n---\n- {protocol: tcp, port: 81}', 'found more'],
    ['- !!js/function "() => 1"', 'unknown scalar tag'],
    ['80', `expected ${objects}, found number 80`],
    ['tcp/80', `expected ${objects}, found string "tcp/80"`],
    ['protocol: tcp\nport: 80', `expected ${objects}, found an object`],
    ['- 80', '[0]: expected an object with protocol and port, found number 80'],
    ['- [tcp, 80]', '[0]: expected an object with protocol and port, found a list of 2 items'],
    ['- null', '[0]: expected an object with protocol and port, found null'],
    ['- {port: 80}', '[0].protocol: expected tcp or sctp, found nothing'],
    ['- {protocol: 6, port: 80}', '[0].protocol: expected tcp or sctp, found number 6'],
    ['- {protocol: ftp, port: 80}', '[0].protocol: expected tcp or sctp, found string "ftp"'],
    [
      '- {protocol: UDP, port: 53}',
      '[0].protocol: expected tcp or sctp, found udp, which would let the pod send anywhere',
    ],
    ['- {protocol: icmp}', '[0].protocol: expected tcp or sctp, found icmp, which would let the pod send anywhere'],
    ['- {protocol: ｔｃｐ, port: 80}', '[0].protocol: expected tcp or sctp, found string "ｔｃｐ"'],
    ['- {protocol: "tcp ", port: 80}', '[0].protocol: expected tcp or sctp, found string "tcp "'],
    ['- {protocol: tcp}', '[0].port: expected a number from 1 to 65535, found nothing'],
    ['- {protocol: tcp, port: "80"}', '[0].port: expected a number from 1 to 65535, found string "80"'],
    ['- {protocol: tcp, port: 0}', '[0].port: expected a number from 1 to 65535, found number 0'],
    ['- {protocol: tcp, port: 65536}', '[0].port: expected a number from 1 to 65535, found number 65536'],
    ['- {protocol: tcp, port: 80.5}', '[0].port: expected a number from 1 to 65535, found number 80.5'],
    ['- {protocol: tcp, port: .nan}', '[0].port: expected a number from 1 to 65535, found number NaN'],
    [
      dump(Array.from({ length: 101 }, (_, index) => ({ protocol: 'tcp', port: index + 1 }))),
      'expected at most 100 items, found 101',
    ],
  ];
  for (const [text, problem] of wrong) {
    it(`are not opened by ${JSON.stringify(text.slice(0, 40))}`, () => {
      const { ports, problems } = opened(text);
      expect(ports).to.deep.equal({ tcp: [], sctp: [] });
      expect(problems).to.have.length(1);
      expect(problems[0]).to.include(problem);
    });
  }

  it('are not looked for in what is longer than 100 ports need', () => {
    const port = '[{protocol: tcp, port: 80}]';
    expect(opened(port.padEnd(16_384)).ports.tcp).to.deep.equal([80]);
    expect(opened(port.padEnd(16_385))).to.deep.equal({
      ports: { tcp: [], sctp: [] },
      problems: ['expected at most 16384 characters, found 16385'],
    });
  });

  const text = 16_000;
  const huge: Readonly<Record<string, string>> = {
    'one word': 'x'.repeat(text),
    'the tag of a value': `- !${'x'.repeat(text)} 1`,
    'an alias of nothing': `- *${'x'.repeat(text)}`,
    'lists in lists': '['.repeat(text),
    'lists of aliases of lists of aliases': Array.from('bcdefghijklmnop').reduce(
      (lists, name, index) => `${lists}\n- &${name} [${`*${'abcdefghijklmnop'[index]},`.repeat(9)}]`,
      '- &a [1]',
    ),
    'many merges of many keys': `- &a {${Array.from({ length: 1000 }, (_, index) => `k${index}: 1`).join()}}\n- {<<: [${'*a,'.repeat(2000)}]}`,
    'a value that is in itself': '&a [*a, *a]',
  };
  for (const [what, annotation] of Object.entries(huge)) {
    it(`are not opened by ${what}, which takes little time and room`, () => {
      const begin = performance.now();
      const { ports, problems } = opened(annotation);
      // Less than 20 ms, unless something grows with the square of the text.
      expect(performance.now() - begin).to.be.below(1000);
      expect(problems[0]).not.to.include('at most 16384 characters');
      expect(ports).to.deep.equal({ tcp: [], sctp: [] });
      expect(problems).not.to.deep.equal([]);
      for (const problem of problems) expect(problem.length).to.be.below(300);
    });
  }

  it('are opened by all items that are right, beside others', () => {
    const { ports, problems } = opened(
      '- {protocol: tcp, port: 80}\n- {protocol: udp, port: 53}\n- {protocol: tcp, port: -1}',
    );
    expect(ports.tcp).to.deep.equal([80]);
    expect(problems.map((problem) => problem.slice(0, 3))).to.deep.equal(['[1]', '[2]']);
  });
});
