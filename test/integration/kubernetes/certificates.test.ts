import { stateWrite } from '../../../src/domain/objects/writes.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { stateOf } from '../../contract/resource-store.ts';
import { uplink } from '../../unit/adapters/manifests/example-objects.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { temporaryFolders } from '../../unit/adapters/temporary-folders.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';
import { CertificateAuthority, type Credential } from './certificates.ts';
import { COUNTING, STEADY, WatchingStore } from './watching-store.ts';

const agent = { user: 'agent', group: 'system:masters' };

describe('a store with a client certificate in a file', () => {
  const newFolder = temporaryFolders();
  let server: TestApiServer;
  let administrator: Administrator;
  let folder: string;
  let access: ClusterAccess;
  let store: WatchingStore | undefined;
  let changes = 0;

  before(async () => {
    server = await TestApiServer.start();
    server.apply(...customResourceDefinitions());
    administrator = await Administrator.of(server);
    await administrator.apply(uplink(STEADY));
  });
  after(async () => {
    administrator.close();
    await server.stop();
  });
  beforeEach(async () => {
    folder = newFolder();
    const reading = await accessOfKubeconfig(server.kubeconfig);
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    const { cluster } = reading.value;
    const user = { name: 'agent', certFile: join(folder, 'client.crt'), keyFile: join(folder, 'client.key') };
    access = { cluster, user };
  });
  afterEach(() => store?.close());

  /** Puts a certificate into the files, as a program does that renews it: one after the other. */
  function install({ certificate, key }: Credential): void {
    writeFileSync(join(folder, 'client.crt'), certificate);
    writeFileSync(join(folder, 'client.key'), key);
  }

  /** The HTTP status of a request with a certificate that is in no file. */
  async function statusWith({ certificate, key }: Credential): Promise<number> {
    const data = (text: string) => Buffer.from(text).toString('base64');
    const user = { name: 'agent', certData: data(certificate), keyData: data(key) };
    const other = new ApiServer({ ...access, user });
    const result = await other.send({ method: 'GET', path: '/api/v1/nodes' });
    other.close();
    return result.ok ? 200 : (result.failure.status ?? 0);
  }

  const becomes = (status: number, credential: Credential) =>
    eventually(`a request is answered with ${status}`, async () => (await statusWith(credential)) === status);

  /** The store reads what others write, in watches that go on and in new ones, and writes. */
  async function expectFollows(followed: WatchingStore): Promise<void> {
    const change = async () => {
      await administrator.apply(uplink(COUNTING, { hostInterfaceName: `br-${(changes += 1)}` }));
      await eventually('it is read', () => followed.count === changes && followed.warnings.length === 0);
    };
    await change();
    const name = `blue.worker-${changes}`;
    expect(await followed.store.write(stateWrite(stateOf(name)))).to.deep.equal({ done: true });
    expect(await administrator.get('UplinkState', name)).to.have.property('status');
    await server.stopApiServer();
    await server.startApiServer();
    await change();
    followed.expectConsistent();
  }

  it('continues with another one once the CA of the former one is no longer trusted', async () => {
    const [former, next] = [new CertificateAuthority('former'), new CertificateAuthority('next')];
    const [first, second] = [former.issue(agent), next.issue(agent)];
    server.trustClientsOf(former);
    await becomes(200, first);
    install(first);
    store = new WatchingStore(access);
    await expectFollows(store);
    store.problems.splice(0);

    server.trustClientsOf(next);
    await becomes(401, first);
    install(second);
    await expectFollows(store);
    expect(store.problems).to.deep.equal([]);
  });

  it('continues with another one after the former one has expired, and reports the refusal before', async () => {
    const authority = new CertificateAuthority('clients');
    server.trustClientsOf(authority);
    await becomes(200, authority.issue(agent));
    const short = authority.issue(agent, 3);
    install(short);
    store = new WatchingStore(access);
    await eventually('it is read', () => store?.uplinks.has(STEADY) === true);

    await becomes(401, short);
    const refused = await store.store.write(stateWrite(stateOf('blue.worker-a')));
    expect(refused).to.deep.include({ done: false, isRefused: true });
    expect(JSON.stringify(refused)).to.include('Unauthorized (HTTP 401)');
    install(authority.issue(agent));
    await expectFollows(store);
  });
});
