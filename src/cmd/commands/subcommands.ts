import { Command } from 'commander';
import type { Container } from 'inversify';
import type { Terminal } from '../output/terminal.ts';

/** Adds a subcommand with its options. */
type Add = (program: Command, container: Container, terminal: Terminal) => void;

/** A subcommand as the help of the program lists it. */
export interface Subcommand {
  readonly name: string;
  /** Its effect, in a line. */
  readonly summary: string;
  /** Loads it: what one command needs is not loaded for another one. */
  readonly load: () => Promise<Add>;
}

/** The subcommands by the headings of the help. */
export const subcommands: Readonly<Record<string, readonly Subcommand[]>> = {
  'Commands:': [
    {
      name: 'plan',
      summary: 'show the state found, the changes and the status reported; changes nothing',
      load: async () => (await import('./plan.ts')).addPlan,
    },
    {
      name: 'explain',
      summary: 'explain why a network, a namespace or a pod is as it is, and what would change it',
      load: async () => (await import('./explain.ts')).addExplain,
    },
    {
      name: 'flows',
      summary: 'show the OpenFlow flows of a node’s uplink bridges, each with its reason',
      load: async () => (await import('./flows.ts')).addFlows,
    },
    {
      name: 'trace',
      summary: 'follow one packet of a network to where it arrives, leaves or is dropped',
      load: async () => (await import('./trace.ts')).addTrace,
    },
    {
      name: 'validate',
      summary: 'validate objects offline, or by a dry run on the API server',
      load: async () => (await import('./validate.ts')).addValidate,
    },
    {
      name: 'capture',
      summary: 'save the state of this node, for plan, explain, flows and trace elsewhere',
      load: async () => (await import('./capture.ts')).addCapture,
    },
    {
      name: 'crds',
      summary: 'print the CustomResourceDefinitions',
      load: async () => (await import('./crds.ts')).addCrds,
    },
  ],
  'Agents:': [
    {
      name: 'node',
      summary: 'reconcile this node with the objects of the cluster',
      load: async () => (await import('./node.ts')).addNode,
    },
    {
      name: 'cluster-manager',
      summary: 'report the state of all nodes in the objects of the cluster, and provide networks',
      load: async () => (await import('./cluster-manager.ts')).addClusterManager,
    },
  ],
  'Commands of the containers in config:': [
    {
      name: 'install-cni-plugin',
      summary: 'copy the CNI plugin of the image to the node',
      load: async () => (await import('./install-cni-plugin.ts')).addInstallCniPlugin,
    },
    {
      name: 'ovn-databases',
      summary: 'serve the databases of a node that is a zone of OVN of its own',
      load: async () => (await import('./ovn-databases.ts')).addOvnDatabases,
    },
    {
      name: 'ovn-controller',
      summary: 'run the ovn-controller of such a node',
      load: async () => (await import('./ovn-controller.ts')).addOvnController,
    },
  ],
};

/** Columns of an option’s description below which it is not wrapped; the terms of options are long. */
const MIN_WIDTH_TO_WRAP = 20;

/**
 * The command `ovn-uplinks` as it is asked for: with the options of the subcommand that the words name, and the summaries of the others.
 *
 * @param words behind the name of the program
 */
export async function ovnUplinksCommand(
  words: readonly string[],
  container: Container,
  terminal: Terminal,
): Promise<Command> {
  const program = new Command('ovn-uplinks')
    .description(
      'Gives tenant networks of a Kubernetes cluster uplinks of their own on each node, and provides whole networks beside any default network.',
    )
    .helpCommand('help [command]', 'print the help of a command')
    .showHelpAfterError('(see --help)')
    .configureHelp({ subcommandTerm: (subcommand) => subcommand.name(), minWidthToWrap: MIN_WIDTH_TO_WRAP });
  const asked = words.find((word) => !word.startsWith('-') && word !== 'help');
  for (const [heading, listed] of Object.entries(subcommands)) {
    program.commandsGroup(heading);
    for (const { name, summary, load } of listed) {
      if (name === asked) (await load())(program, container, terminal);
      else program.command(name).summary(summary);
    }
  }
  return program;
}
