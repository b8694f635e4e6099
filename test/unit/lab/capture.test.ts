import { expect } from 'chai';
import type { LabNode } from '../../integration/lab/node.ts';
import { WireCapture } from '../../integration/lab/packets/capture.ts';

describe('a capture of a wire', () => {
  it('waits for its own tcpdump, and not for what one before has printed', async () => {
    const files: string[] = [];
    const process = { signal: () => Promise.resolve(), exit: () => Promise.resolve() };
    const node = {
      start: (words: readonly string[], output: string) => {
        files.push(words.at(-1) ?? '', output);
        return Promise.resolve(process);
      },
      until: (_commands: readonly unknown[], path: string) => {
        expect(path).to.equal(files.at(-1));
        return Promise.resolve(0);
      },
      read: (path: string) => Promise.resolve(path === files.at(-1) ? '0 packets dropped by kernel\n' : ''),
    } as unknown as LabNode;
    for (let time = 0; time < 2; time++) await (await WireCapture.startAtNode(node, 'wire-green')).stop();
    expect(new Set(files).size).to.equal(4);
  });
});
