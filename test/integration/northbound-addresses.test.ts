import { expect } from 'chai';
import { northboundDump } from '../../src/adapters/capture/layout.ts';
import { OvnNorthbound } from '../../src/adapters/ovn/ovn-northbound.ts';
import type { TlsFiles } from '../../src/adapters/ovsdb/server.ts';
import { ovnServers } from '../../src/cmd/ports/ovn-servers.ts';
import { gatewayRouterRows } from '../../src/domain/dataplane/gateway-router/gateway-router-rows.ts';
import { gatewayRouter, insertGatewayRouter, openRouterPort, ownHalf } from '../contract/northbound-examples.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { problemLines, valueOf } from '../unit/adapters/readings.ts';
import { temporaryFolders } from '../unit/adapters/temporary-folders.ts';
import { CertificateAuthority } from './certificates.ts';
import { NorthboundServer } from './northbound-server.ts';

const blue = gatewayRouter('blue');

describe('a Northbound database that is not on the node', () => {
  const newFolder = temporaryFolders();
  const endings: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  /** A real server with the half of a network that is not ours. */
  async function serve(...options: readonly string[]): Promise<NorthboundServer> {
    const server = await NorthboundServer.start({ options });
    endings.push(() => server.stop());
    server.insert(...ownHalf(blue));
    return server;
  }

  /** One at an address of ssl, with the certificate of an authority. */
  async function serveTls({ privateKey, certificate, caCertificate }: TlsFiles): Promise<NorthboundServer> {
    const files = [`--private-key=${privateKey}`, `--certificate=${certificate}`, `--ca-cert=${caCertificate}`];
    return await serve('--remote=pssl:0:127.0.0.1', ...files);
  }

  /** The client that the options of the command lead to. */
  function open(ovnNorthbound: string, tls?: TlsFiles): OvnNorthbound {
    const northbound = new OvnNorthbound(serverOf(ovnNorthbound, tls));
    endings.push(() => northbound.close());
    return northbound;
  }

  function serverOf(ovnNorthbound: string, tls?: TlsFiles) {
    const files = tls && { privateKey: tls.privateKey, certificate: tls.certificate, caCert: tls.caCertificate };
    const servers = ovnServers({ ovnNorthbound, ovnSouthbound: 'none', ...files });
    if (!('northbound' in servers)) throw new Error(`no server at ${ovnNorthbound}`);
    return servers.northbound;
  }

  async function problemsAt(address: string, tls?: TlsFiles): Promise<readonly string[]> {
    return problemLines(await open(address, tls).read());
  }

  /** Reads and changes the database, and reads it again. */
  async function expectUsable(northbound: OvnNorthbound, server: NorthboundServer): Promise<void> {
    server.confirm();
    expect(valueOf(await northbound.read()).northbound).to.have.length(ownHalf(blue).length);
    expect(await northbound.apply(insertGatewayRouter(blue))).to.deep.equal({ done: true });
    expect(await northbound.apply(openRouterPort('add', blue))).to.deep.equal({ done: true });
    expect(valueOf(await northbound.read()).northbound).to.have.length(
      ownHalf(blue).length + gatewayRouterRows(blue).length,
    );
  }

  it('is read and changed at an address of tcp', async () => {
    const server = await serve('--remote=ptcp:0:127.0.0.1');
    await expectUsable(open(`tcp:127.0.0.1:${server.port}`), server);
  });

  it('is read and changed at an address of ssl', async () => {
    const authority = new CertificateAuthority(newFolder(), 'ca');
    const server = await serveTls(authority.issue('server'));
    await expectUsable(open(`ssl:127.0.0.1:${server.port}`, authority.issue('client')), server);
  });

  it('is captured at an address of ssl', async () => {
    const authority = new CertificateAuthority(newFolder(), 'ca');
    const server = await serveTls(authority.issue('server'));
    const address = serverOf(`ssl:127.0.0.1:${server.port}`, authority.issue('client'));
    const { program, arguments: words } = northboundDump(address, 'fatal');
    expect(server.run(program, ...words)).to.equal(server.dump());
  });

  it('is neither read nor changed if another CA has signed its certificate, and the error says so', async () => {
    const folder = newFolder();
    const [ours, theirs] = [new CertificateAuthority(folder, 'ours'), new CertificateAuthority(folder, 'theirs')];
    const server = await serveTls(theirs.issue('server', ours));
    const address = `ssl:127.0.0.1:${server.port}`;
    const northbound = open(address, ours.issue('client'));
    const error = `${address}: cannot be connected to: the certificate of the server is not signed by the CA in ${folder}/ours.pem`;
    expect(problemLines(await northbound.read())).to.deep.equal([error]);
    const refusal = { done: false, error, isRefused: true, isUnavailable: true };
    expect(await northbound.apply(insertGatewayRouter(blue))).to.deep.equal(refusal);
  });

  it('is not read if it does not trust the CA of the client, and the error says so', async () => {
    const folder = newFolder();
    const [ours, theirs] = [new CertificateAuthority(folder, 'ours'), new CertificateAuthority(folder, 'theirs')];
    const server = await serveTls(ours.issue('server'));
    const northbound = open(`ssl:127.0.0.1:${server.port}`, theirs.issue('client', ours));
    const text = 'it does not trust the CA that has signed the certificate of this client';
    // The server may close the connection before its reason is read.
    await eventually('the error says so', async () =>
      problemLines(await northbound.read())
        .join()
        .includes(text),
    );
  });

  it('is not read without the files for ssl, or with a key of another certificate, and the error names them', async () => {
    const folder = newFolder();
    const authority = new CertificateAuthority(folder, 'ca');
    const server = await serveTls(authority.issue('server'));
    const address = `ssl:127.0.0.1:${server.port}`;
    const files = authority.issue('client');
    expect(await problemsAt(address, { ...files, certificate: `${folder}/none.pem` })).to.deep.equal([
      `${address}: cannot be connected to: ${folder}/none.pem: ENOENT: no such file or directory`,
    ]);
    const { privateKey } = authority.issue('other');
    expect(await problemsAt(address, { ...files, privateKey })).to.deep.equal([
      `${address}: cannot be connected to: ${folder}/ca.other.key, ${folder}/ca.client.pem, ${folder}/ca.pem: key values mismatch`,
    ]);
  });

  it('is not read at an address of tcp if it expects ssl, or the other way round, and the error says so', async () => {
    const authority = new CertificateAuthority(newFolder(), 'ca');
    const secure = await serveTls(authority.issue('server'));
    expect(await problemsAt(`tcp:127.0.0.1:${secure.port}`)).to.deep.equal([
      `tcp:127.0.0.1:${secure.port}: leads to an ovsdb-server that closed the connection; reconnecting`,
    ]);
    const plain = await serve('--remote=ptcp:0:127.0.0.1');
    expect(await problemsAt(`ssl:127.0.0.1:${plain.port}`, authority.issue('client'))).to.deep.equal([
      `ssl:127.0.0.1:${plain.port}: cannot be connected to: it ended the TLS handshake: check that it expects ssl at this port`,
    ]);
  });
});
