/**
 * Reads the output of `ovs-appctl ofproto/trace` (ovs-vswitchd(8)): the flows that a packet matched, and the frames that left.
 */
import { splitList } from '../../domain/datapath/openflow/parse-actions.ts';
import { type OutputFrame, outputFrameText, type SwitchTrace } from '../../domain/explanation/trace/switch-trace.ts';

/** The ports of bridges, as `ovs-appctl dpif/show` prints them. */
export interface DatapathPortNumbers {
  /** Name of a port of the bridge by its number in the datapath. */
  readonly ofBridge: ReadonlyMap<string, string>;
  /** Names of its ports that are not in the datapath, by their OpenFlow numbers: patch ports. */
  readonly patches: ReadonlyMap<string, string>;
  /** Numbers in the datapath of the ports of other bridges. */
  readonly ofOthers: ReadonlySet<string>;
}

/** Reads the ports of a bridge. */
export function readDatapathPorts(text: string, bridge: string): DatapathPortNumbers {
  const ofBridge = new Map<string, string>();
  const patches = new Map<string, string>();
  const ofOthers = new Set<string>();
  let isOfBridge = false;
  for (const line of text.split('\n')) {
    const [, heading] = /^ {2}(\S.*):$/.exec(line) ?? [];
    if (heading !== undefined) isOfBridge = heading === bridge;
    const [, name = '', openFlow = '', datapath = ''] = /^ {4}(.*) (\d+)\/(\d+|none): \(/.exec(line) ?? [];
    if (name === '') continue;
    if (!isOfBridge) ofOthers.add(datapath);
    else if (datapath === 'none') patches.set(openFlow, name);
    else ofBridge.set(datapath, name);
  }
  return { ofBridge, patches, ofOthers };
}

function fieldsIn(line: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    line.split(',').flatMap((word) => {
      const [name = '', value] = word.trim().split('=');
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Fields of `set(...)` by their names in flows. */
const setFields: Readonly<Record<string, Readonly<Record<string, keyof OutputFrame>>>> = {
  eth: { src: 'dl_src', dst: 'dl_dst' },
  arp: { sip: 'source', tip: 'destination' },
  ipv4: { src: 'source', dst: 'destination' },
  ipv6: { src: 'source', dst: 'destination' },
};

function withSet(frame: OutputFrame, action: string): OutputFrame {
  const [, header = '', list = ''] = /^set\((\w+)\((.*)\)\)$/.exec(action) ?? [];
  const names = setFields[header] ?? {};
  const changes = Object.entries(fieldsIn(list)).flatMap(([name, value]) => {
    const field = names[name];
    return field === undefined ? [] : [[field, value.split('/')[0] ?? ''] as const];
  });
  return { ...frame, ...(Object.fromEntries(changes) as Partial<OutputFrame>) };
}

/** Actions that neither output nor change a frame. */
const IGNORED = /^(drop|ct\(|ct_clear|recirc\()/;

/** The frames that the datapath actions of one pass output. */
function outputsOf(
  actions: string,
  first: OutputFrame,
  ports: DatapathPortNumbers,
  isOther: boolean,
): SwitchTrace['outputs'] {
  let frame = first;
  const outputs: SwitchTrace['outputs'][number][] = [];
  for (const action of splitList(actions)) {
    if (/^\d+$/.test(action)) {
      const port = ports.ofBridge.get(action) ?? (ports.ofOthers.has(action) ? undefined : `unknown port ${action}`);
      if (port !== undefined) outputs.push({ port, frame: outputFrameText(frame) });
    } else if (action === 'pop_vlan') frame = { ...frame, vlan: 'none' };
    else if (action.startsWith('push_vlan')) frame = { ...frame, vlan: /vid=(\d+)/.exec(action)?.[1] ?? '' };
    else if (action.startsWith('set(')) frame = withSet(frame, action);
    // Other bridges, such as OVN's, use other actions.
    else if (!IGNORED.test(action) && !isOther) outputs.push({ port: `unknown action ${action}` });
  }
  return outputs;
}

/** Actions of the bridge itself in one pass. */
interface Pass {
  readonly decisions: SwitchTrace['decisions'];
  /** Its output to patch ports. */
  readonly toPatches: SwitchTrace['outputs'];
  /** The bridge of each later pass that it begins. */
  readonly next: readonly string[];
  /** Whether a patch port took the packet to another bridge. */
  readonly continuesElsewhere: boolean;
}

/** The flow that a line names. */
function decisionIn(line: string): SwitchTrace['decisions'] {
  const [decided, table = '', priority] = /^ *(\d+)\. (?:No match|(?:.*, )?priority (\d+))/.exec(line) ?? [];
  if (decided === undefined) return [];
  return [{ table: Number(table), ...(priority !== undefined && { priority: Number(priority) }) }];
}

/** The patch port that a line outputs the packet to. */
function patchIn(line: string, inPort: string, { patches }: DatapathPortNumbers): SwitchTrace['outputs'] {
  const [output, number] = /^ *(?:output:(\d+)|IN_PORT)$/.exec(line) ?? [];
  const port = output === undefined ? undefined : patches.get(number ?? inPort);
  return port === undefined ? [] : [{ port }];
}

/**
 * Reads one pass.
 *
 * @param owner the bridge that it belongs to; the heading names the one that the packet came in by
 */
function readPass(text: string, owner: string, bridge: string, ports: DatapathPortNumbers): Pass {
  const decisions: SwitchTrace['decisions'][number][] = [];
  const toPatches: SwitchTrace['outputs'][number][] = [];
  const next: string[] = [];
  const [, inPort = ''] = /^Flow: .*\bin_port=(\w+)/m.exec(text) ?? [];
  let [current, headings] = [owner, 0];
  for (const line of text.split('\n')) {
    const [, name] = /^ *bridge\("(.*)"\)$/.exec(line) ?? [];
    if (name !== undefined) {
      current = headings === 0 ? owner : name;
      headings += 1;
    }
    if (line.includes('The forked pipeline will be resumed')) next.push(current);
    // A packet that comes back from another bridge is another one.
    if (headings !== 1 || current !== bridge) continue;
    decisions.push(...decisionIn(line));
    toPatches.push(...patchIn(line, inPort, ports));
  }
  return { decisions, toPatches, next, continuesElsewhere: headings > 1 };
}

function firstFrame(text: string): OutputFrame {
  const flow = fieldsIn(/^Flow: (.*)$/m.exec(text)?.[1] ?? '');
  return {
    port: '',
    vlan: flow['dl_vlan'] ?? 'none',
    dl_src: flow['dl_src'] ?? '',
    dl_dst: flow['dl_dst'] ?? '',
    source: flow['nw_src'] ?? flow['ipv6_src'] ?? flow['arp_spa'] ?? '',
    destination: flow['nw_dst'] ?? flow['ipv6_dst'] ?? flow['arp_tpa'] ?? '',
    ports: flow['tp_src'] === undefined ? '' : ` ${flow['tp_src']}:${flow['tp_dst'] ?? ''}`,
  };
}

/** Reads the trace of a packet on a bridge. */
export function readTrace(text: string, bridge: string, ports: DatapathPortNumbers): SwitchTrace {
  const owners = [bridge];
  const decisions: SwitchTrace['decisions'][number][] = [];
  const outputs: SwitchTrace['outputs'][number][] = [];
  let continuesElsewhere = false;
  for (const [at, passText] of text.split(/^=+\nrecirc\(/m).entries()) {
    const owner = owners[at] ?? bridge;
    const pass = readPass(passText, owner, bridge, ports);
    owners.push(...pass.next);
    if (owner !== bridge) continue;
    continuesElsewhere ||= pass.continuesElsewhere;
    const actions = /^Datapath actions: (.*)$/m.exec(passText)?.[1] ?? '';
    decisions.push(...pass.decisions);
    outputs.push(...pass.toPatches, ...outputsOf(actions, firstFrame(passText), ports, pass.continuesElsewhere));
  }
  const textOf = ({ port, frame = '' }: SwitchTrace['outputs'][number]) => `${port} ${frame}`;
  return {
    decisions,
    outputs: outputs.sort((left, right) => (textOf(left) < textOf(right) ? -1 : 1)),
    ...(continuesElsewhere && { continuesElsewhere: true as const }),
  };
}
