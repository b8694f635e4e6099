import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { emptyCluster } from '../../../../src/domain/index.ts';
import { kubernetesProgram } from '../../kubernetes/api-server.ts';
import type { NodeAgent } from '../agent/node-agent.ts';
import type { LabNode } from '../node.ts';
import { cluster, workerA, workerB } from './cluster-nodes.ts';
import type { ConsoleLine, Step } from './guide-page.ts';
import { LabCluster } from './lab-cluster.ts';

const CHECKOUT = resolve(import.meta.dirname, '../../../..');

/** Milliseconds for a command: more than any of them waits. */
const DEADLINE = 180_000;

/** Milliseconds in which what a command prints becomes the last of it, and between two looks. */
const [PATIENCE, PAUSE] = [15_000, 1500];

type Line = Omit<ConsoleLine, 'output'> & Partial<ConsoleLine>;

type IsLast = (
  now: string,
  other: { readonly onPage: string | undefined; readonly before: string | undefined },
) => boolean;

/**
 * A cluster whose administrator follows the guide. What other programs of a cluster do is done after each command: the kubelet starts agents and cluster
 * manager once they are installed, and OVN-Kubernetes makes what belongs to a network once there is one. The bridges are there from the beginning: NMState
 * itself is not.
 */
export class GuidedCluster {
  readonly #lab: LabCluster;
  readonly nodes: readonly LabNode[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-guide-'));
  #agents: readonly NodeAgent[] = [];
  readonly #networks = new Set<string>();

  private constructor(lab: LabCluster, nodes: readonly LabNode[]) {
    this.#lab = lab;
    this.nodes = nodes;
    symlinkSync(join(CHECKOUT, 'config'), join(this.#folder, 'config'));
    const program = `#!/bin/sh\nexec '${process.execPath}' '${CHECKOUT}/src/cmd/main.ts' "$@"\n`;
    writeFileSync(join(this.#folder, 'ovn-uplinks'), program, { mode: 0o755 });
  }

  static async start(): Promise<GuidedCluster> {
    const lab = await LabCluster.start();
    try {
      const nodes = await Promise.all([workerA, workerB].map((place) => lab.newNode(place)));
      await lab.apply({ ...emptyCluster, nodes: cluster.nodes });
      await lab.startControllers();
      return new GuidedCluster(lab, nodes);
    } catch (error) {
      await lab.stop();
      throw error;
    }
  }

  /**
   * Does a step. A command of a console is run again for some time until what it prints is the last of it, as a person does.
   *
   * @param isLast whether what a command has printed is the last of it: given that, the page, and what the same command has printed before
   * @returns what each command of a console has printed last. Rejects where one fails
   */
  async follow(step: Step, isLast: IsLast): Promise<readonly string[]> {
    if (step.do === 'save') {
      writeFileSync(join(this.#folder, step.name), step.text);
      return [];
    }
    const lines: readonly Line[] = step.do === 'type' ? step.lines : step.commands.map((command) => ({ command }));
    const printed: string[] = [];
    for (const { output: onPage, ...line } of lines) {
      let [before, now] = [undefined as string | undefined, await this.#run(line)];
      const end = performance.now() + PATIENCE;
      while (step.do === 'type' && !isLast(now, { onPage, before }) && performance.now() < end) {
        await pause(PAUSE);
        [before, now] = [now, await this.#run(line)];
      }
      printed.push(now);
      await this.#others();
    }
    return step.do === 'type' ? printed : [];
  }

  #run({ node, command }: Line): Promise<string> {
    const on = this.nodes.find(({ name }) => name === node);
    return on === undefined ? this.#shell(command) : on.does(['/bin/bash', '-c', command]);
  }

  async stop(): Promise<void> {
    await this.#lab.stop();
    rmSync(this.#folder, { recursive: true });
  }

  async #shell(script: string): Promise<string> {
    const path = [this.#folder, dirname(kubernetesProgram('kubectl')), process.env['PATH']].join(':');
    // With a socket as standard input, bash takes itself for a remote shell and reads the files of interactive ones (bash(1), INVOCATION).
    const { all } = await execa('/bin/bash', ['--norc', '-eu', '-c', script], {
      all: true,
      cwd: this.#folder,
      timeout: DEADLINE,
      env: { PATH: path, KUBECONFIG: this.#lab.server.kubeconfig, KUBECACHEDIR: join(this.#folder, 'cache') },
    });
    return all === '' ? '' : `${all}\n`;
  }

  /** Does what other programs of the cluster do. */
  async #others(): Promise<void> {
    const isInstalled = (await this.#lab.names('/apis/apps/v1/daemonsets')).length > 0;
    if (!isInstalled) return;
    if (this.#agents.length === 0) {
      await this.#lab.startManager();
      for (const node of this.nodes) await this.#lab.newToken(node);
      this.#agents = await Promise.all(this.nodes.map((node) => this.#lab.startAgent(node)));
    }
    const served = await this.#lab.names('/apis/k8s.ovn.org/v1/clusteruserdefinednetworks');
    const networks = served.filter((name) => !this.#networks.has(name));
    if (networks.length === 0) return;
    for (const name of networks) this.#networks.add(name);
    const definitions = cluster.networkAttachmentDefinitions.filter(({ metadata }) => networks.includes(metadata.name));
    await this.#lab.apply({ ...emptyCluster, networkAttachmentDefinitions: definitions });
  }
}
