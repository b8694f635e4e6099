import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { request } from 'node:https';
import { createServer, type Server } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { eventually, runs } from '../../unit/adapters/processes.ts';
import { CertificateAuthority } from './certificates.ts';
import type { LabNetwork } from '../lab/lab-network.ts';

/** The token of a user who may do everything. */
const ADMINISTRATOR = 'administrator-of-the-test';

/** The files that say what is built. */
const SOURCES = ['go.mod', 'go.sum', 'coredns/go.mod', 'coredns/go.sum', 'coredns/main.go'];

/** Where scripts/set-up-kubernetes puts its programs, or those that the environment names (controller-runtime, envtest). */
export function kubernetesProgram(name: string): string {
  const given = process.env['KUBEBUILDER_ASSETS'];
  if (given !== undefined && given !== '') return join(given, name);
  const modules = join(import.meta.dirname, 'components');
  const digest = createHash('sha256');
  for (const file of SOURCES) digest.update(readFileSync(join(modules, file)));
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(cache, 'ovn-uplinks', `kubernetes-${digest.digest('hex').slice(0, 12)}`, name);
}

/** The first of the ports to choose from, and how many there are: below those that the kernel gives to connections (ip(7), ip_local_port_range), which may take them at any time. */
const [FIRST_PORT, PORTS] = [20_000, 12_000] as const;

/** A server at some port of the loopback interface that no program uses. */
async function onFreePort(): Promise<Server> {
  for (;;) {
    const server = createServer().listen(FIRST_PORT + Math.floor(Math.random() * PORTS), '127.0.0.1');
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

/** Ports of the loopback interface that no program uses. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, onFreePort));
  const ports = servers.map((server) => (server.address() as { readonly port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** In memory: etcd waits for each write to reach the disk. */
const FOLDERS = '/dev/shm';

/** A folder that names this process; those of processes that were killed are removed. */
function newFolder(): string {
  for (const name of readdirSync(FOLDERS)) {
    const [, pid] = /^ovn-uplinks-api-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !runs(Number(pid))) rmSync(join(FOLDERS, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(FOLDERS, `ovn-uplinks-api-${process.pid}-`));
}

/** A name in the certificate that the API server makes for itself, wherever it listens. */
const SERVER_NAME = 'kubernetes.default.svc';

/** The file with the authority whose certificates of clients it accepts; read again when it is replaced. */
const CLIENT_CA = 'client-ca.crt';

/** A kubeconfig of the administrator of a cluster. */
function kubeconfigWith(cluster: Readonly<Record<string, string>>): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'administrator', user: { token: ADMINISTRATOR } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'administrator' } }],
    'current-context': 'test',
  };
}

/** A real API server with an etcd of its own, on the loopback interface, or in a network of the lab. */
export class TestApiServer {
  /** A kubeconfig file of a user who may do everything. */
  readonly kubeconfig: string;
  readonly #folder: string;
  readonly #etcdPorts: readonly [number, number];
  readonly #network: LabNetwork | undefined;
  /** Where it listens. */
  readonly address: string;
  readonly port: number;
  #url = '';
  #etcdUrl = '';
  #apiServer: ChildProcess | undefined;
  /** All programs that were started. */
  readonly #programs = new Set<ChildProcess>();
  readonly #endWithUs = (): void => {
    for (const child of this.#programs) child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  };

  private constructor(
    folder: string,
    [client = 0, peer = 0, port = 0]: readonly number[],
    network: LabNetwork | undefined,
  ) {
    this.#folder = folder;
    this.#etcdPorts = [client, peer];
    this.#network = network;
    this.address = network?.address ?? '127.0.0.1';
    this.port = port;
    this.kubeconfig = join(folder, 'kubeconfig');
    process.once('exit', this.#endWithUs);
  }

  /**
   * Starts an empty cluster, and waits until it answers.
   *
   * @param network where it is to run: in that of this process if absent. Either way it ends with this process
   */
  static async start(network?: LabNetwork): Promise<TestApiServer> {
    const self = new TestApiServer(newFolder(), await freePorts(3), network);
    try {
      self.#url = `https://127.0.0.1:${await self.reach(self.address, self.port)}`;
      self.#etcdUrl = `http://127.0.0.1:${await self.reach('127.0.0.1', self.#etcdPorts[0])}`;
      self.#prepare();
      self.startEtcd();
      await self.startApiServer();
      return self;
    } catch (error) {
      await self.stop();
      throw error;
    }
  }

  /** Its URL for this process. */
  get url(): string {
    return this.#url;
  }

  /** The certificate that it has made and signed itself. */
  get certificate(): string {
    return readFileSync(join(this.#folder, 'apiserver.crt'), 'utf8');
  }

  /** A kubeconfig of the same user for programs in the network that it runs in, in one file. */
  get kubeconfigInNetwork(): string {
    return JSON.stringify(
      kubeconfigWith({
        server: `https://${this.address}:${this.port}`,
        'certificate-authority-data': Buffer.from(this.certificate).toString('base64'),
      }),
    );
  }

  #prepare(): void {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(join(this.#folder, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    writeFileSync(join(this.#folder, 'sa.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    this.trustClientsOf(new CertificateAuthority('clients'));
    writeFileSync(join(this.#folder, 'tokens.csv'), `${ADMINISTRATOR},administrator,administrator,"system:masters"\n`);
    writeFileSync(
      this.kubeconfig,
      JSON.stringify(
        kubeconfigWith({
          server: this.url,
          'certificate-authority': 'apiserver.crt',
          'tls-server-name': SERVER_NAME,
        }),
      ),
    );
  }

  /** A file beside its own ones, which are removed when it is stopped. */
  file(name: string): string {
    return join(this.#folder, name);
  }

  /** The port on 127.0.0.1 by which this process reaches one in the network that it runs in. */
  async reach(host: string, port: number): Promise<number> {
    return (await this.#network?.reach(host, port)) ?? port;
  }

  /** Starts a program of Kubernetes where it runs, which writes to `PROGRAM.log`. It ends with this process, and when everything is stopped. */
  run(program: string, options: readonly string[]): ChildProcess {
    const log = openSync(this.file(`${program}.log`), 'a');
    // Ended with this process even if that is killed.
    const words = ['setpriv', '--pdeathsig', 'KILL', kubernetesProgram(program), ...options];
    const [command = '', ...rest] = this.#network?.command(words) ?? words;
    // Collecting garbage less often takes some 130 MB more, and a sixth less time.
    const env = { ...process.env, GOGC: '400' };
    const child = spawn(command, rest, { stdio: ['ignore', log, log], env });
    closeSync(log);
    this.#programs.add(child);
    child.once('exit', () => this.#programs.delete(child));
    return child;
  }

  /** Waits until a program that it has started answers that it is ready. */
  async ready(program: string, child: ChildProcess, isReady: () => Promise<boolean>): Promise<void> {
    await eventually(`${program} is ready`, async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${this.#lastLines(`${program}.log`)}`);
      return await isReady();
    });
  }

  startEtcd(): void {
    const [client, peer] = this.#etcdPorts.map((port) => `http://127.0.0.1:${port}`);
    this.run('etcd', [
      `--data-dir=${this.file('etcd')}`,
      `--listen-client-urls=${client ?? ''}`,
      `--advertise-client-urls=${client ?? ''}`,
      `--listen-peer-urls=${peer ?? ''}`,
      `--initial-advertise-peer-urls=${peer ?? ''}`,
      `--initial-cluster=default=${peer ?? ''}`,
    ]);
  }

  /** Starts the API server, also after it was stopped. */
  async startApiServer(): Promise<void> {
    const server = this.run('kube-apiserver', [
      `--etcd-servers=http://127.0.0.1:${this.#etcdPorts[0]}`,
      `--bind-address=${this.address}`,
      `--secure-port=${this.port}`,
      `--cert-dir=${this.#folder}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${this.file('sa.pub')}`,
      `--service-account-signing-key-file=${this.file('sa.key')}`,
      `--token-auth-file=${this.file('tokens.csv')}`,
      `--client-ca-file=${this.file(CLIENT_CA)}`,
      '--authorization-mode=RBAC',
      '--disable-admission-plugins=ServiceAccount',
      '--service-cluster-ip-range=10.96.0.0/16,fd96::/112',
    ]);
    this.#apiServer = server;
    await this.ready('kube-apiserver', server, () => this.#answers('/readyz'));
  }

  /** Stops the API server; etcd goes on. */
  async stopApiServer(): Promise<void> {
    await end(this.#apiServer);
  }

  /** Stops the API server, and has it start with another certificate, which it signs itself. */
  async replaceCertificate(): Promise<void> {
    await this.stopApiServer();
    for (const file of ['apiserver.crt', 'apiserver.key']) rmSync(join(this.#folder, file));
    await this.startApiServer();
  }

  /** Has it accept certificates of clients that this authority has signed, and no others; soon, if it runs. */
  trustClientsOf({ certificate }: CertificateAuthority): void {
    const file = join(this.#folder, CLIENT_CA);
    writeFileSync(`${file}.new`, certificate);
    renameSync(`${file}.new`, file);
  }

  /** Has etcd forget everything but the current version of each object, as it does every five minutes in a cluster. */
  async compact(): Promise<void> {
    const ask = async (path: string, body: object) => {
      const url = `${this.#etcdUrl}/v3/kv/${path}`;
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
      return (await response.json()) as { readonly header: { readonly revision: string } };
    };
    // The gateway takes keys in base64.
    const { header } = await ask('range', { key: Buffer.from('/').toString('base64') });
    await ask('compaction', { revision: header.revision, physical: true });
  }

  /** Stops everything. */
  async stop(): Promise<void> {
    // The API server before etcd.
    for (const child of [...this.#programs].reverse()) await end(child);
    process.off('exit', this.#endWithUs);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs kubectl as the administrator, and returns its output. */
  kubectl(options: readonly string[], input?: string): string {
    const program = kubernetesProgram('kubectl');
    return execFileSync(program, [`--kubeconfig=${this.kubeconfig}`, ...options], {
      encoding: 'utf8',
      input: input ?? '',
      // What it says of a failure is in the message of the error.
      stdio: 'pipe',
      // Metrics are more than the default, 1 MiB.
      maxBuffer: 64 << 20,
      // Discovery is cached there.
      env: { ...process.env, KUBECACHEDIR: join(this.#folder, 'kubectl') },
    });
  }

  /** Creates or changes objects by server-side apply, checked strictly. */
  apply(...objects: readonly object[]): void {
    // kubectl has something against nothing.
    if (objects.length === 0) return;
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
    this.kubectl(['apply', '--server-side', '--force-conflicts', '--validate=strict', '--filename=-'], list);
  }

  async #answers(path: string): Promise<boolean> {
    if (!readdirSync(this.#folder).includes('apiserver.crt')) return false;
    const ask = request(`${this.url}${path}`, {
      ca: this.certificate,
      servername: SERVER_NAME,
      headers: { authorization: `Bearer ${ADMINISTRATOR}` },
    }).end();
    try {
      const [response] = (await once(ask, 'response')) as [{ readonly statusCode: number; resume: () => void }];
      response.resume();
      return response.statusCode === 200;
    } catch {
      return false;
    }
  }

  #lastLines(log: string): string {
    return readFileSync(join(this.#folder, log), 'utf8').split('\n').slice(-10).join('\n');
  }
}

/** Ends a program at once, if it runs. */
export async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
