import { join } from 'node:path';
import type { Command } from 'commander';
import type { Container } from 'inversify';
import { configureController } from '../../adapters/open-vswitch/controller-settings.ts';
import { unixServer } from '../../adapters/ovsdb/server.ts';
import { exec } from '../run/exec.ts';
import { type EncapsulationAddress, encapsulationAddress } from '../input/encapsulation-address.ts';
import { DATABASE_SOCKET } from '../input/node-options.ts';
import { helpText } from '../output/help-text.ts';
import { printable } from '../output/text-table.ts';
import type { Terminal } from '../output/terminal.ts';

interface ControllerOptions {
  readonly encapsulationIp: EncapsulationAddress;
  readonly ovsdb: string;
  readonly sockets: string;
}

/** Adds the command `ovn-controller`. */
export function addOvnController(program: Command, _container: Container, terminal: Terminal): void {
  program
    .command('ovn-controller')
    .description(
      'Runs the ovn-controller of a node that is a zone of OVN of its own: configures Open vSwitch for it, and becomes it.',
    )
    .requiredOption(
      '--encapsulation-ip <address>',
      'address of the node that other nodes send tunnel packets to',
      encapsulationAddress,
    )
    .option('--ovsdb <socket>', 'socket of the Open vSwitch database', DATABASE_SOCKET)
    .option('--sockets <dir>', 'folder of the sockets of OVN', '/run/ovn')
    .addHelpText(
      'after',
      helpText(`
Refuses to run where Open vSwitch belongs to another OVN, or has other settings of ovn-controller that ovn-uplinks did not write. Do not stop it with ovn-appctl exit, which removes all flows: exit --restart and signals keep them.`),
    )
    .action(async ({ encapsulationIp, ovsdb, sockets }: ControllerOptions) => {
      const southbound = `unix:${join(sockets, 'ovnsb_db.sock')}`;
      const { address, warning } = encapsulationIp;
      if (warning !== undefined) terminal.err(`warning: --encapsulation-ip: ${printable(warning)}`);
      const settings = { southbound, encapsulationIp: address };
      const configured = await configureController(unixServer(ovsdb, 'Open vSwitch'), settings);
      if (configured.done) {
        const options = [`--unixctl=${join(sockets, 'ovn-controller.ctl')}`, '-vconsole:info', '-vsyslog:off'];
        terminal.err(`error: ${exec('ovn-controller', [`unix:${ovsdb}`, ...options])}`);
      } else terminal.err(`error: ${configured.error}`);
      process.exitCode = 1;
    });
}
