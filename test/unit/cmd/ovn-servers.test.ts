import { Command } from 'commander';
import { expect } from 'chai';
import {
  effectiveOptions,
  printedConfig,
  runSettings,
  serversOf,
  withCommonOptions,
} from '../../../src/cmd/input/settings.ts';

/** The settings of a command line, or what is wrong with it. */
async function settingsOf(...words: readonly string[]) {
  const command = withCommonOptions(new Command().exitOverride().configureOutput({ writeErr: () => undefined }));
  command.parse(words, { from: 'user' });
  const effective = await effectiveOptions(command);
  if ('problems' in effective) return effective;
  const { options } = effective;
  return { ...runSettings(options), config: printedConfig(options) };
}

describe('the options with addresses of OVN', () => {
  it('are the databases of the node’s own OVN by default', async () => {
    const settings = await settingsOf();
    expect(settings).to.have.nested.property('settings.ovn', true);
    expect(settings).to.have.deep.nested.property('ovn.northbound', {
      addresses: [{ kind: 'unix', path: '/var/run/ovn/ovnnb_db.sock', text: 'unix:/var/run/ovn/ovnnb_db.sock' }],
      service: 'OVN',
      isLeaderRequired: true,
    });
    expect(settings).to.have.nested.property('ovn.southbound.addresses[0].path', '/var/run/ovn/ovnsb_db.sock');
    expect(settings)
      .to.have.property('config')
      .that.contains('ovn-northbound: unix:/var/run/ovn/ovnnb_db.sock\n')
      .and.contains('ovn-southbound: unix:/var/run/ovn/ovnsb_db.sock\n');
  });

  it("name no Northbound database if only the host's half of networks is programmed", async () => {
    const settings = await settingsOf('--ovn-northbound', 'none');
    expect(settings).to.have.nested.property('settings.ovn', false);
    expect(settings).not.to.have.property('ovn');
    expect(settings).to.have.property('config').that.contains('ovn-northbound: none\n');
  });

  it('select the Southbound database for provided networks', async () => {
    const databases = async (...words: readonly string[]) => {
      const settings = await settingsOf(...words);
      return 'problems' in settings ? settings : Object.keys(serversOf(settings) ?? {});
    };
    expect(await databases()).to.deep.equal(['northbound']);
    expect(await databases('--networks', 'with-uplinks')).to.deep.equal(['northbound', 'southbound']);
    expect(await databases('--networks', 'all', '--ovn-southbound', 'none')).to.deep.equal(['northbound']);
  });

  it('name the members of a cluster', async () => {
    const settings = await settingsOf('--ovn-northbound', 'tcp:192.0.2.1:6641,tcp:[2001:db8::1]:6641');
    const text = ({ text }: { readonly text: string }) => text;
    expect('ovn' in settings && settings.ovn.northbound.addresses.map(text)).to.deep.equal([
      'tcp:192.0.2.1:6641',
      'tcp:[2001:db8::1]:6641',
    ]);
  });

  it('require a key, a certificate and a CA for ssl', async () => {
    const address = ['--ovn-northbound', 'tcp:192.0.2.1,ssl:192.0.2.2'];
    for (const words of [address, [...address, '--private-key', 'k', '--certificate', 'c']]) {
      expect(await settingsOf(...words)).to.deep.equal({
        problems: ['ovn-northbound: an address of ssl requires --private-key, --certificate and --ca-cert'],
      });
    }
    expect(await settingsOf('--ovn-southbound', 'ssl:192.0.2.2')).to.deep.equal({
      problems: ['ovn-southbound: an address of ssl requires --private-key, --certificate and --ca-cert'],
    });
    const settings = await settingsOf(...address, '--private-key', 'k', '--certificate', 'c', '--ca-cert', 'a');
    expect(settings).to.have.deep.nested.property('ovn.northbound.tls', {
      privateKey: 'k',
      certificate: 'c',
      caCertificate: 'a',
    });
    expect(settings).to.have.property('config').that.contains('private-key: k\ncertificate: c\nca-cert: a\n');
  });

  it('are refused if they are not addresses', async () => {
    for (const text of ['/var/run/ovn/ovnnb_db.sock', 'tcp:192.0.2.1,none', '']) {
      for (const option of ['--ovn-northbound', '--ovn-southbound']) {
        const error: unknown = await settingsOf(option, text).catch((reason: unknown) => reason);
        expect(String(error)).to.contain('Expected unix:PATH, tcp:HOST:PORT or ssl:HOST:PORT');
      }
    }
  });
});
