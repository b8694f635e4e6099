import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { eventually } from '../../unit/adapters/processes.ts';
import { kubernetesProgram } from '../kubernetes/api-server.ts';
import { configWith } from '../kubernetes/served-config.ts';
import { ip, ovsVsctl } from '../lab/commands.ts';
import type { ArgumentVector, LabNode } from '../lab/node.ts';
import { prepare } from '../lab/prepare.ts';
import { sharedMachine } from '../lab/shared-machine.ts';
import { LabContainer } from './lab-container.ts';
import { type Pod, podOf, withContainer } from './pod.ts';
import { privileges, privilegesOf, residentMemory } from './process-status.ts';
import { unpackedImage, type UnpackedImage } from './unpacked-image.ts';

const ADDRESS = '192.0.2.10';

/** Where the Southbound database is for ovn-controller, and where it is for those who fill it. */
const LISTENING = '/run/ovn/ovnsb_db.sock';
const PRIVATE = '/run/ovn/ovnsb_private.sock';

/** Where `config` has the databases. */
const DATABASES = '/var/lib/ovn-uplinks/ovn';

const pods = ['pod-a', 'pod-b'] as const;

const addressOf = (pod: (typeof pods)[number]) => `10.20.0.${5 + pods.indexOf(pod)}`;
const macOf = (pod: (typeof pods)[number]) => `0a:58:0a:14:00:0${5 + pods.indexOf(pod)}`;

/** The rows of a network with both pods, as an agent writes them. */
const rows: readonly ArgumentVector[] = [
  ['ovn-nbctl', 'ls-add', 'blue'],
  ...pods.map((pod) => [
    ...['ovn-nbctl', 'lsp-add', 'blue', pod, '--'],
    ...['lsp-set-addresses', pod, `${macOf(pod)} ${addressOf(pod)}`],
  ]),
  ['ovn-nbctl', '--wait=sb', '--timeout=60', 'sync'],
];

/** The transaction that `SouthboundListener` writes. */
const admission: ArgumentVector = [
  ...['ovsdb-client', 'transact', `unix:${PRIVATE}`],
  JSON.stringify([
    'OVN_Southbound',
    { op: 'insert', table: 'Connection', 'uuid-name': 'connection', row: { target: `punix:${LISTENING}` } },
    {
      op: 'mutate',
      table: 'SB_Global',
      where: [],
      mutations: [['connections', 'insert', ['named-uuid', 'connection']]],
    },
  ]),
];

const podCommands = (pod: (typeof pods)[number]): readonly ArgumentVector[] => [
  ip`netns add ${pod}`,
  ip`link add ${pod} up type veth peer name eth0 netns ${pod}`,
  ip`-n ${pod} link set eth0 address ${macOf(pod)} up`,
  ip`-n ${pod} address add ${`${addressOf(pod)}/24`} dev eth0`,
  ovsVsctl`add-port br-int ${pod} -- set Interface ${pod} ${`external_ids:iface-id=${pod}`}`,
];

describe('OVN, from the image as its DaemonSet has it,', () => {
  let node: LabNode;
  let image: UnpackedImage;
  let whole: Pod;
  let pings = 0;
  const containers = new Map<string, LabContainer>();

  const listens = async (path: string) => (await node.run(['ovsdb-client', 'list-dbs', `unix:${path}`])).exitCode === 0;

  async function start(name: string): Promise<LabContainer> {
    const container = await LabContainer.start(node, image, withContainer(whole, name), { nodeAddress: ADDRESS });
    containers.set(name, container);
    return container;
  }

  /** Starts what it consists of, and waits until the databases can be used. */
  async function startDatabases(): Promise<void> {
    await (await start('databases')).untilLogged('ovsdb-server \\(Open vSwitch\\)');
    await eventually('the databases listen', () => listens(PRIVATE));
  }

  /** Has a pod send to the other one all the time while something is done. Gives how many packets were lost. */
  async function lostDuring(action: (log: string) => Promise<void>) {
    pings += 1;
    const log = `/run/pings.${pings}`;
    const ping = ['ping', '-n', '-i', '0.02', '-W', '2', addressOf('pod-b')];
    const pinging = await node.start(['ip', 'netns', 'exec', 'pod-a', ...ping], log);
    await node.until([], log, 'bytes from');
    await action(log);
    await pinging.signal('SIGINT');
    await pinging.exit();
    const summary = /(\d+) packets transmitted, (\d+) received/.exec(await node.read(log));
    const [, sent = '', received = ''] = summary ?? [];
    return { sent: Number(sent), lost: Number(sent) - Number(received) };
  }

  before(async () => {
    image = unpackedImage();
    const kubectl = ['kustomize', configWith('networks', 'ovn')];
    const manifests = execFileSync(kubernetesProgram('kubectl'), kubectl, { encoding: 'utf8' });
    whole = podOf(manifests, 'DaemonSet', 'ovn-uplinks-ovn');
    node = await (await sharedMachine()).node('worker-ovn');
    await prepare(node, [
      // The lab cannot write to the folder of the machine.
      ['/bin/busybox', 'mount', '-t', 'tmpfs', 'tmpfs', '/var/lib'],
      ip`link add uplink0 up type dummy`,
      ip`address add ${`${ADDRESS}/24`} dev uplink0`,
      // As the service of Open vSwitch does.
      ovsVsctl`set Open_vSwitch . external_ids:system-id=worker-ovn external_ids:hostname=worker-ovn`,
    ]);
    await startDatabases();
    await start('northd');
    await start('controller');
  });
  after(async () => {
    for (const container of containers.values()) await container.stop('KILL');
  });

  it('does not listen for ovn-controller before everything is in the database', async () => {
    await containers.get('controller')!.untilLogged('ovnsb_db.sock: connection attempt failed');
    expect(await listens(LISTENING)).to.equal(false);
  });

  it('carries packets between pods once it does', async () => {
    await node.does(...rows, admission);
    await containers.get('controller')!.untilLogged('ovnsb_db.sock: connected');
    await eventually('ovn-controller has made br-int', async () => {
      const { exitCode } = await node.run(ovsVsctl`br-exists br-int`);
      return exitCode === 0;
    });
    await prepare(node, pods.flatMap(podCommands));
    await node.does(['ovn-nbctl', '--wait=hv', '--timeout=60', 'sync']);
    const { sent, lost } = await lostDuring(async (log) => {
      await node.until([], log, 'icmp_seq=50 ');
    });
    expect(sent).to.be.at.least(50);
    expect(lost).to.equal(0);
  });

  it('has the tunnels of its node at the address of the Node', async () => {
    const encaps = await node.does([
      'ovn-sbctl',
      `--db=unix:${PRIVATE}`,
      '--bare',
      '--columns=type,ip',
      'list',
      'Encap',
    ]);
    expect(encaps.trim().split(/\s+/)).to.deep.equal(['geneve', ADDRESS]);
  });

  it('loses no packet where its databases are lost', async () => {
    const flows = async () => (await node.does(['ovs-ofctl', 'dump-flows', 'br-int'])).split('\n').length;
    const before = await flows();
    const { sent, lost } = await lostDuring(async () => {
      await containers.get('databases')!.stop('KILL');
      await node.does(['/bin/busybox', 'rm', '-r', DATABASES], ['/bin/busybox', 'mkdir', DATABASES]);
      await startDatabases();
      expect(await listens(LISTENING)).to.equal(false);
      await node.does(...rows, admission);
      await node.does(['ovn-nbctl', '--wait=hv', '--timeout=60', 'sync']);
    });
    console.log(`      ${lost} of ${sent} packets lost`);
    expect(lost).to.equal(0);
    expect(await flows()).to.be.at.least(before);
  });

  it('listens at once where its databases are there after a restart, and loses no packet', async () => {
    const { sent, lost } = await lostDuring(async () => {
      await containers.get('databases')!.stop();
      await startDatabases();
      await eventually('the Southbound database listens', () => listens(LISTENING));
      await node.does(['ovn-nbctl', '--wait=hv', '--timeout=60', 'sync']);
    });
    console.log(`      ${lost} of ${sent} packets lost`);
    expect(lost).to.equal(0);
  });

  it('loses no packet where ovn-controller is stopped as the kubelet does it, and started again', async () => {
    const { sent, lost } = await lostDuring(async () => {
      const controller = containers.get('controller')!;
      const { preStop } = withContainer(whole, 'controller').spec.containers[0].lifecycle!;
      // The container ends with it, and what was started in it is killed.
      await controller.execute(...preStop.exec.command);
      expect(await controller.exit()).to.deep.equal({ exitCode: 0 });
      await (await start('controller')).untilLogged('ovnsb_db.sock: connected');
      await node.does(['ovn-nbctl', '--wait=hv', '--timeout=60', 'sync']);
    });
    console.log(`      ${lost} of ${sent} packets lost`);
    expect(lost).to.equal(0);
  });

  it('is alive and ready by its probes', async () => {
    for (const name of ['databases', 'northd', 'controller']) {
      const [{ livenessProbe, readinessProbe }] = withContainer(whole, name).spec.containers;
      for (const probe of [livenessProbe, readinessProbe]) {
        const { exitCode, stderr } = await containers.get(name)!.execute(...probe.exec!.command);
        expect(exitCode, `${name}: ${stderr}`).to.equal(0);
      }
    }
  });

  it('has the capabilities that it is given, and no others', async () => {
    for (const [name, capabilities] of Object.entries({ databases: [], northd: [], controller: ['DAC_OVERRIDE'] })) {
      const status = await containers.get(name)!.status();
      expect(privileges(status), name).to.deep.equal(privilegesOf(0, capabilities));
      console.log(`      ${name}: ${residentMemory(status)} MiB resident`);
    }
  });

  it('refuses an Open vSwitch that belongs to another OVN', async () => {
    await containers.get('controller')!.stop();
    await node.does(ovsVsctl`set Open_vSwitch . external_ids:ovn-remote=tcp:192.0.2.1:6642`);
    const controller = await start('controller');
    await controller.untilLogged('belongs to another OVN');
    expect(await controller.exit()).to.deep.equal({ exitCode: 1 });
    containers.delete('controller');
  });
});
