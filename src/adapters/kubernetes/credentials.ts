import { readFile } from 'node:fs/promises';
import { Agent as PlainAgent } from 'node:http';
import { Agent, type RequestOptions } from 'node:https';
import { ExecAuth } from '@kubernetes/client-node/dist/exec_auth.js';
import type { ClusterAccess } from './cluster-access.ts';

/** Credentials that a request has to be sent with. */
export interface SignedOptions {
  readonly agent: Agent | PlainAgent;
  readonly headers: Readonly<Record<string, string>>;
}

/** TLS options of connections. */
interface TlsOptions {
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly servername?: string;
  readonly rejectUnauthorized?: false;
}

/** Milliseconds without data after which the kernel asks the other side whether it is still there. */
const KEEP_ALIVE = 30_000;

/**
 * The credentials of a user. Their files are read for each request: certificates and tokens are replaced while programs run. A plugin of the kubeconfig
 * (client-go credential plugins) runs again once its credential has expired or was refused.
 */
export class Credentials {
  readonly #access: ClusterAccess;
  #plugin = new ExecAuth();
  #connections: { readonly key: string; readonly agent: Agent | PlainAgent } | undefined;

  constructor(access: ClusterAccess) {
    this.#access = access;
  }

  /** Rejects where a file cannot be read, or a plugin fails. */
  async current(): Promise<SignedOptions> {
    const { cluster, user, tokenFile } = this.#access;
    // These need most of the client library, which takes 90 MB and a second to load.
    if (cluster.proxyUrl != null || user.authProvider != null) return await this.#byLibrary();
    const ofPlugin: RequestOptions = {};
    if (user.exec != null) await this.#plugin.applyAuthentication(user, ofPlugin);
    const [ca, cert, key] = await Promise.all([
      contentOf(cluster.caFile, cluster.caData),
      ofPlugin.cert ?? contentOf(user.certFile, user.certData),
      ofPlugin.key ?? contentOf(user.keyFile, user.keyData),
    ]);
    const token = tokenFile === undefined ? user.token : (await readFile(tokenFile, 'utf8')).trim();
    return {
      agent: this.#agentFor({
        ...(ca !== undefined && { ca }),
        ...(cert !== undefined && { cert: cert as Buffer }),
        ...(key !== undefined && { key: key as Buffer }),
        ...(cluster.tlsServerName && { servername: cluster.tlsServerName }),
        ...(cluster.skipTLSVerify && { rejectUnauthorized: false }),
      }),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(user.username && {
          authorization: `Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')}`,
        }),
        ...(user.impersonateUser && { 'impersonate-user': user.impersonateUser }),
        ...(ofPlugin.headers as Record<string, string> | undefined),
      },
    };
  }

  /** Has the plugin run again, whose credential the API server refused. */
  refuse(): void {
    this.#plugin = new ExecAuth();
  }

  /** Closes idle connections. */
  close(): void {
    this.#connections?.agent.destroy();
  }

  /** Connections are kept as long as the certificates are the same. */
  #agentFor(tls: TlsOptions): Agent | PlainAgent {
    const key = JSON.stringify(
      Object.values(tls).map((value: unknown) => (Buffer.isBuffer(value) ? value.toString('base64') : value)),
    );
    if (this.#connections?.key === key) return this.#connections.agent;
    const options = { keepAlive: true, keepAliveMsecs: KEEP_ALIVE };
    const isPlain = this.#access.cluster.server.startsWith('http:');
    // Requests that run keep their connections.
    this.#connections = { key, agent: isPlain ? new PlainAgent(options) : new Agent({ ...options, ...tls }) };
    return this.#connections.agent;
  }

  async #byLibrary(): Promise<SignedOptions> {
    const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js');
    const config = new KubeConfig();
    config.loadFromClusterAndUser(this.#access.cluster, this.#access.user);
    const options: RequestOptions = {};
    await config.applyToHTTPSOptions(options);
    return { agent: options.agent as Agent, headers: (options.headers ?? {}) as Record<string, string> };
  }
}

/** A file, or what the kubeconfig has in base64; absent where it has neither. */
async function contentOf(
  file: string | null | undefined,
  data: string | null | undefined,
): Promise<Buffer | undefined> {
  if (file != null && file !== '') return await readFile(file);
  return data == null ? undefined : Buffer.from(data, 'base64');
}
