import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import { mapReading } from '../../ports/readings.ts';
import { fileError } from '../file-system/file-error.ts';
import { Connection, type Reply } from '../ovsdb/connection.ts';
import { unixAddress } from '../ovsdb/server.ts';
import { USUAL_TIMING } from '../ovsdb/timing.ts';
import { socketError } from '../ovsdb/tls-error.ts';
import { type TrackedConnections, wordsOf } from './tracked-connections.ts';

/** The error of ovs-vswitchd for an unknown bridge. */
const NO_BRIDGE = 'no such bridge';

/** Its error for an entry that is missing or not static. */
const NO_ENTRY = 'could not find static mac entry';

/** Milliseconds for each answer of ovs-vswitchd: usually it takes some, and longer with thousands of flows on a busy machine. */
export const USUAL_DEADLINE = 10_000;

/** Output of ovs-vswitchd, or why there is none; the reason completes "ovs-vswitchd …". */
type ControlResult =
  | { readonly outcome: 'printed'; readonly text: string }
  | { readonly outcome: 'refused'; readonly error: string }
  | { readonly outcome: 'none'; readonly reason: string };

/**
 * The commands of ovs-vswitchd (ovs-vswitchd(8), "Runtime Management Commands"), at its control socket, as ovs-appctl(8) sends them: JSON-RPC 1.0, a command
 * as method with words as parameters, and what it prints as result (Open vSwitch, lib/unixctl.c). Each has a connection of its own.
 */
export class SwitchControl {
  readonly #runDirectory: string;
  readonly #deadline: number;

  /**
   * @param runDirectory where ovs-vswitchd has its pid file and sockets
   * @param deadline milliseconds for each answer
   */
  constructor(runDirectory: string, deadline: number) {
    this.#runDirectory = runDirectory;
    this.#deadline = deadline;
  }

  /** The ports of all bridges with their numbers in the datapath. Never rejects. */
  async showDatapath(): Promise<Reading<string>> {
    return printed(await this.#run('dpif/show'), 'dpif/show');
  }

  /**
   * Asks what a bridge would do with a packet. Never rejects.
   *
   * @param words with numbers of ports
   * @param states connection states that it has each time it comes back from connection tracking
   */
  async trace(bridge: string, words: string, states: readonly string[]): Promise<Reading<string>> {
    const next = states.flatMap((state) => ['--ct-next', state]);
    const result = await this.#run('ofproto/trace', bridge, words, ...next);
    return printed(result, `ofproto/trace ${bridge} ${words}`);
  }

  /** Waits until the datapath uses the current flows. Never rejects. */
  async settled(): Promise<ApplyResult> {
    return applied(await this.#run('revalidator/wait'));
  }

  /** The MAC learning table of a bridge; empty if ovs-vswitchd does not have the bridge. Never rejects. */
  async showFdb(bridge: string): Promise<Reading<string>> {
    const result = await this.#run('fdb/show', bridge);
    const isMissing = result.outcome === 'refused' && result.error.startsWith(NO_BRIDGE);
    return isMissing ? { read: true, value: '' } : printed(result, `fdb/show ${bridge}`);
  }

  /** Adds a static entry, in place of another one for the same VLAN and MAC address. Never rejects. */
  async addFdbEntry(bridge: string, port: string, vlan: number, macAddress: string): Promise<ApplyResult> {
    return applied(await this.#run('fdb/add', bridge, port, String(vlan), macAddress));
  }

  /** Deletes a static entry, if it exists. Never rejects. */
  async deleteFdbEntry(bridge: string, vlan: number, macAddress: string): Promise<ApplyResult> {
    const result = await this.#run('fdb/del', bridge, String(vlan), macAddress);
    return result.outcome === 'refused' && result.error.startsWith(NO_ENTRY) ? { done: true } : applied(result);
  }

  /** The names of all datapaths. Never rejects. */
  async datapaths(): Promise<Reading<readonly string[]>> {
    const found = printed(await this.#run('dpctl/dump-dps'), 'dpctl/dump-dps');
    return mapReading(found, (text) => text.split('\n').filter((line) => line !== ''));
  }

  /** Deletes connections of the only datapath; is refused where there are several. The command of Open vSwitch 3.1 takes no name of one with tuples (tried; that of 3.5 does). Never rejects. */
  async flushConnections(connections: TrackedConnections): Promise<ApplyResult> {
    const result = await this.#run('dpctl/flush-conntrack', ...wordsOf(connections));
    if (result.outcome === 'printed') return { done: true };
    // Not refused, as nothing would have changed then: some may have been deleted before.
    return { done: false, error: errorOf(result), ...(result.outcome === 'none' && { isUnavailable: true as const }) };
  }

  async #run(command: string, ...words: readonly string[]): Promise<ControlResult> {
    const file = join(this.#runDirectory, 'ovs-vswitchd.pid');
    let pid: string;
    try {
      pid = (await readFile(file, 'utf8')).trim();
    } catch (error) {
      return { outcome: 'none', reason: `is not running, or keeps no pid file: ${file}: ${fileError(error)}` };
    }
    const socket = join(this.#runDirectory, `ovs-vswitchd.${pid}.ctl`);
    try {
      // It is not probed: a command has its own deadline.
      const timing = { ...USUAL_TIMING, deadline: this.#deadline, silence: 2 * this.#deadline };
      const connection = await Connection.open(unixAddress(socket), timing);
      const reply = await connection.request(command, words);
      connection.close('was sent one command');
      return resultOf(reply);
    } catch (error) {
      return { outcome: 'none', reason: `cannot be connected to: ${socket}: ${socketError(error)}` };
    }
  }
}

function resultOf(reply: Reply): ControlResult {
  switch (reply.outcome) {
    case 'result':
      return typeof reply.result === 'string'
        ? { outcome: 'printed', text: reply.result }
        : { outcome: 'none', reason: 'sent something that is not the result of a command' };
    case 'error':
      return { outcome: 'refused', error: String(reply.error).trim().replaceAll('\n', ' / ') };
    case 'none':
      return reply;
  }
}

function printed(result: ControlResult, command: string): Reading<string> {
  if (result.outcome === 'printed') return { read: true, value: result.text };
  return { read: false, problems: [{ origin: inFile(`ovs-vswitchd ${command}`), message: errorOf(result) }] };
}

function applied(result: ControlResult): ApplyResult {
  if (result.outcome === 'printed') return { done: true };
  return { done: false, error: errorOf(result), ...(result.outcome === 'refused' && { isRefused: true }) };
}

function errorOf(result: Exclude<ControlResult, { readonly outcome: 'printed' }>): string {
  return result.outcome === 'refused' ? result.error : `ovs-vswitchd ${result.reason}`;
}
