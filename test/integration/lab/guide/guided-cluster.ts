import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { emptyCluster } from '../../../../src/domain/index.ts';
import { kubernetesProgram } from '../../kubernetes/api-server.ts';
import { LabCluster } from '../cluster/lab-cluster.ts';
import { capture } from '../cluster/look-at-cluster.ts';
import type { LabNode } from '../node.ts';
import { PROGRAMS } from '../node-shell.ts';
import { installCommand } from '../shell-programs.ts';
import { providerNamespace } from '../packets/provider.ts';
import { common } from '../packets/tenant.ts';
import { prepare } from '../prepare.ts';
import { startClusterServices } from '../services/cluster-services.ts';
import { places } from '../whole-networks/two-uplinks.ts';
import { addBridges, nodeObject, ownDefaultRoute, startWholeNode } from '../whole-networks/whole-node.ts';
import type { ConsoleLine, Step } from './guide-page.ts';
import { GuidedPods } from './guided-pods.ts';
import { runReadmeCommand } from './readme-commands.ts';

const CHECKOUT = resolve(import.meta.dirname, '../../../..');

/** Milliseconds for a command: more than any of them waits. */
const DEADLINE = 180_000;

/** Milliseconds in which what a command prints becomes the last of it, and between two looks. */
const [PATIENCE, PAUSE] = [15_000, 1500];

/** A command in a pod, which the container runtime runs. */
const EXEC = /^kubectl exec -n (\S+) (\S+) -- (.*)$/;

type Line = Omit<ConsoleLine, 'output'> & Partial<ConsoleLine>;

type IsLast = (
  now: string,
  other: { readonly onPage: string | undefined; readonly before: string | undefined },
) => boolean;

/** A command that cannot be repeated. */
const ONCE = /^ip address (?:add|delete) /;

/** The prompt of a host on the link of an uplink. */
const CLIENT = 'client';

/** Where nodes have the settings of their agents. */
const SETTINGS = '/run/ovn-uplinks-settings';

/** A ConfigMap as an API server has it. */
interface StoredSettings {
  readonly data: Readonly<Record<string, string>>;
}

/**
 * A cluster whose administrator follows the guide, and at first nothing but a cluster. kube-proxy, DNS and the controllers of Kubernetes are real. What other programs do is done after
 * each command: kubelets start agents and cluster manager once they are installed, with the settings that were, and NMState adds the bridges. Pods are run all the time.
 */
export class GuidedCluster {
  readonly #lab: LabCluster;
  readonly #nodes: readonly LabNode[];
  readonly #pods: GuidedPods;
  readonly #folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-guide-'));
  #isRunning = false;
  #hasBridges = false;

  private constructor(lab: LabCluster, nodes: readonly LabNode[]) {
    this.#lab = lab;
    this.#nodes = nodes;
    this.#pods = new GuidedPods(lab, nodes);
    symlinkSync(join(CHECKOUT, 'config'), join(this.#folder, 'config'));
    const program = `#!/bin/sh\nexec '${process.execPath}' '${CHECKOUT}/src/cmd/main.ts' "$@"\n`;
    writeFileSync(join(this.#folder, 'ovn-uplinks'), program, { mode: 0o755 });
  }

  static async start(): Promise<GuidedCluster> {
    const lab = await LabCluster.start();
    try {
      const nodes = await Promise.all(places.map((place) => startWholeNode(lab, { ...place, uplinks: [] })));
      await lab.apply({ ...emptyCluster, nodes: places.map(nodeObject) });
      await lab.startControllers('deployment', 'replicaset', 'endpointslice');
      await lab.startOutside(common.outside[0]);
      for (const node of nodes) {
        await installCommand(node, lab.server);
        await prepare(node, [ownDefaultRoute, ['/bin/busybox', 'sysctl', '-w', 'net.ipv4.ip_forward=1']]);
      }
      await Promise.all(nodes.map((node) => startClusterServices(node, lab.server, ['10.244.0.0/16'])));
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
      const path = join(this.#folder, step.name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, step.text);
      return [];
    }
    const lines: readonly Line[] = step.do === 'type' ? step.lines : step.commands.map((command) => ({ command }));
    const printed: string[] = [];
    for (const { output: onPage, ...line } of lines) {
      let [before, now] = [undefined as string | undefined, await this.#run(line)];
      const end = performance.now() + PATIENCE;
      const isRepeated = step.do === 'type' && !ONCE.test(line.command);
      while (isRepeated && !isLast(now, { onPage, before }) && performance.now() < end) {
        await pause(PAUSE);
        [before, now] = [now, await this.#run(line)];
      }
      printed.push(now);
      if (step.do === 'run') await this.#others();
    }
    return step.do === 'type' ? printed : [];
  }

  async #run({ node, command }: Line): Promise<string> {
    if (node === CLIENT) return await this.#client(command);
    const on = this.#nodes.find(({ name }) => name === node);
    if (on !== undefined) return await on.does(['/bin/bash', '-c', `PATH=${PROGRAMS}:$PATH; ${command}`]);
    const [, namespace, name, words] = EXEC.exec(command) ?? [];
    return words === undefined ? await this.#shell(command) : await this.#pods.exec(namespace!, name!, words);
  }

  /** Runs a command of a host on the link of the uplink of a tenant. Here each node has a link of its own: it is on that of the node with the address that it asks. */
  async #client(command: string): Promise<string> {
    const { hostname } = new URL(/http:\S+/.exec(command)?.[0] ?? '');
    const found = await Promise.all(
      this.#nodes.map((node) => node.does(['ip', '-o', 'address', 'show', 'to', hostname])),
    );
    const node = this.#nodes[found.findIndex((text) => text !== '')];
    if (node === undefined) throw new Error(`no node has ${hostname}`);
    const { stdout, stderr } = await node.run([
      ...['ip', 'netns', 'exec', providerNamespace({ name: 'blue' }), '/bin/busybox'],
      ...command.split(' '),
    ]);
    // A page may end without the end of a line.
    return `${(stdout + stderr).trimEnd()}\n`;
  }

  /**
   * Does a command of README: nodes are all captured.
   *
   * @returns what it prints. Rejects where it fails
   */
  async does(command: string): Promise<string> {
    if (command.startsWith('ovn-uplinks capture ')) {
      await Promise.all(this.#nodes.map((node) => capture(node, this.#folder)));
      return '';
    }
    return command.startsWith('ovn-uplinks ')
      ? await runReadmeCommand(command, this.#folder, this.#lab.server.kubeconfig)
      : await this.#shell(command);
  }

  async stop(): Promise<void> {
    this.#pods.stop();
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
    if (!this.#isRunning && (await this.#lab.names('/apis/apps/v1/daemonsets')).length > 0) {
      this.#isRunning = true;
      await this.#startComponents();
    }
    const policies = '/apis/nmstate.io/v1/nodenetworkconfigurationpolicies';
    if (!this.#hasBridges && (await this.#lab.names(policies)).length > 0) {
      this.#hasBridges = true;
      await Promise.all(this.#nodes.map((node, number) => addBridges(node, places[number]!.uplinks)));
    }
    await this.#pods.update();
  }

  /** Starts cluster manager and agents with the settings of the ConfigMap. */
  async #startComponents(): Promise<void> {
    const { data } = this.#settings();
    const folder = join(this.#folder, 'settings');
    mkdirSync(folder);
    for (const [name, text] of Object.entries(data)) writeFileSync(join(folder, name), text);
    await this.#lab.startManager(`--config=${folder}`);
    for (const node of this.#nodes) {
      await node.does(['/bin/busybox', 'mkdir', '-p', SETTINGS]);
      for (const [name, text] of Object.entries(data)) await node.write(join(SETTINGS, name), text);
      await this.#lab.newToken(node);
      await this.#lab.startAgent(node, `--config=${SETTINGS}`);
    }
  }

  /** The settings that agents have as a volume. */
  #settings(): StoredSettings {
    const get = (...words: readonly string[]) => this.#lab.server.kubectl(['get', '--namespace=ovn-uplinks', ...words]);
    const path = '{.spec.template.spec.volumes[?(@.configMap)].configMap.name}';
    const name = get('daemonset/ovn-uplinks-node', `--output=jsonpath=${path}`);
    return JSON.parse(get(`configmap/${name}`, '--output=json')) as StoredSettings;
  }
}
