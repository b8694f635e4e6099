import { expect } from 'chai';
import { InteractiveNft } from '../../../../src/adapters/nftables/interactive-nft.ts';
import { HANGING_PROGRAMS } from '../fake-program.ts';
import { endingNft, FakeNft } from './fake-nft.ts';

const LISTED = '{"nftables": []}';

describe('an interactive nft', () => {
  let fake: FakeNft;
  let nft: InteractiveNft;
  beforeEach(() => {
    fake = new FakeNft();
    nft = new InteractiveNft(fake, 50, 10_000);
  });

  it('is one program for lists and changes', async () => {
    fake.answer = (command, listener) => {
      if (command === 'list') listener.onOutput(LISTED);
    };
    expect(await Promise.all([nft.change('a'), nft.list('list'), nft.change('b')])).to.deep.equal([
      { done: true, output: '' },
      { done: true, output: LISTED },
      { done: true, output: '' },
    ]);
    expect(fake.arguments).to.deep.equal([['--json', '--interactive']]);
    expect(fake.commands).to.deep.equal(['a', 'list', 'b']);
  });

  it('waits for a list whose end is known before its output', async () => {
    fake.answer = (_command, listener) => void setTimeout(() => listener.onOutput(LISTED), 10);
    expect(await nft.list('list')).to.deep.equal({ done: true, output: LISTED });
  });

  it('ignores a prompt, repeated commands and warnings', async () => {
    fake.answer = (command, listener) => {
      listener.onOutput(`nft> ${command}`);
      listener.onMessage('# Warning: table ip nat is managed by iptables-nft, do not touch!');
      listener.onOutput(LISTED);
      listener.onOutput('nft> ');
    };
    expect(await nft.list('{"nftables":[]}')).to.deep.equal({ done: true, output: LISTED });
    expect(await nft.change('a')).to.include({ done: true });
  });

  it('may say something whenever it is started', async () => {
    fake.greeting = ['No entry for terminal type "dumb";', 'using dumb terminal settings.'];
    fake.answer = (command, listener) => {
      if (command === 'b') listener.onEnd('was killed by SIGKILL');
    };
    expect(await nft.change('a')).to.include({ done: true });
    expect(await nft.change('b')).to.deep.equal({ done: false, reason: 'was killed by SIGKILL' });
    expect(await nft.change('c')).to.include({ done: true });
    expect(fake.commands).to.deep.equal(['a', 'b', 'c']);
  });

  it('gets commands in ASCII, without line breaks', async () => {
    await nft.change(JSON.stringify({ name: 'é\n\u007f😀' }));
    expect(fake.commands).to.deep.equal([String.raw`{"name":"\u00e9\n\u007f\ud83d\ude00"}`]);
  });

  it('tells why a change has failed, in one line, and continues', async () => {
    fake.answer = (command, listener) => {
      if (command !== 'bad') return;
      for (const message of ['internal:0:0-0: Error: bad.', '', '   ^^^', 'Error: worse']) listener.onMessage(message);
    };
    expect(await nft.change('bad')).to.deep.equal({
      done: false,
      reason: 'printed: internal:0:0-0: Error: bad. / Error: worse',
      isRefused: true,
    });
    expect(await nft.change('good')).to.include({ done: true });
    expect(fake.arguments).to.have.length(1);
  });

  it('is another one after a list that has failed: a line may follow', async () => {
    fake.answer = (command, listener) => {
      if (command === 'bad') listener.onMessage('Error: bad');
      else listener.onOutput(LISTED);
    };
    expect(await nft.list('bad')).to.include({ done: false });
    expect(await nft.list('list')).to.include({ done: true });
    expect([fake.arguments.length, fake.ended]).to.deep.equal([2, 1]);
  });

  it('is another one once its history is long', async () => {
    for (let time = 0; time < 5; time++) await nft.change('a'.repeat(4000));
    expect([fake.arguments.length, fake.ended]).to.deep.equal([2, 1]);
  });

  it('says that it was killed where it does not answer', async () => {
    expect(await new InteractiveNft(HANGING_PROGRAMS, 50).change('a')).to.deep.equal({
      done: false,
      reason: 'did not finish within 0.05 s and was killed',
    });
  });

  it('says what is missing where it cannot run, or has no JSON', async () => {
    const missing = 'is not installed, or not in PATH';
    expect(await new InteractiveNft(endingNft(missing)).change('a')).to.deep.equal({
      done: false,
      reason: missing,
      hasNoTables: true,
    });
    const old = endingNft('exited with status 1', 'JSON support not compiled-in');
    expect(await new InteractiveNft(old).change('a')).to.deep.equal({
      done: false,
      reason: 'exited with status 1 and printed: JSON support not compiled-in',
      isRefused: true,
    });
  });

  it('says that it was ended once it is closed', async () => {
    nft.close();
    expect(await nft.change('a')).to.deep.equal({ done: false, reason: 'was ended' });
  });
});
