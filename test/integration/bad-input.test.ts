import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ovnUplinks, ovnUplinksProcess, workerA } from './command.ts';

const uplink = (name: string, spec: string) =>
  `apiVersion: k8s.ovn.org/v1alpha1\nkind: Uplink\nmetadata: {name: ${name}}\nspec: ${spec}\n`;

const good = uplink('good', '{nodeConfigs: [{type: OVSBridge, nodeSelector: {}, hostInterfaceName: br-blue}]}');

describe('bad input to the command', () => {
  let folder: string;
  const inFolder = (name: string) => join(folder, name);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-bad-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** The contents of the folder, the arguments of the command, and its output; FOLDER stands for the folder. */
  const cases: readonly {
    readonly name: string;
    readonly prepare?: () => void;
    readonly args: readonly string[];
    readonly says: readonly string[];
  }[] = [
    {
      name: 'names that no object has',
      args: ['plan', '--cluster', 'fixtures/cluster.yaml', '--node', 'wrker-a', '--network', 'bleu', 'demo/blue'],
      says: [
        'error: --node wrker-a: the cluster objects have no Node wrker-a; they have worker-a, worker-b; did you mean worker-a?',
        'error: --network bleu: the cluster objects have no ClusterUserDefinedNetwork bleu; they have blue, red',
        'error: --network demo/blue: the cluster objects have no UserDefinedNetwork demo/blue; they have none',
      ],
    },
    {
      name: 'a network that no object has, whose flows are asked for',
      args: ['flows', 'worker-a', ...workerA, '--network', 'reds'],
      says: [
        'error: --network reds: the cluster objects have no ClusterUserDefinedNetwork reds; they have blue, red; did you mean red?',
      ],
    },
    {
      name: 'a validation by an API server where there is none',
      args: ['validate', 'fixtures/cluster.yaml', '--server'],
      says: ['error: --server: expected --kubeconfig FILE, as there is no kubeconfig file that kubectl would use'],
    },
    {
      name: 'a file that ends too early',
      prepare: () => writeFileSync(inFolder('cut.yaml'), good.slice(0, -20)),
      args: ['plan', '--cluster', 'FOLDER/cut.yaml'],
      says: ['error: FOLDER/cut.yaml: line 4, column'],
    },
    {
      name: 'a field of the wrong type',
      prepare: () =>
        writeFileSync(
          inFolder('type.yaml'),
          uplink('blue', '{nodeConfigs: [{type: OVSBridge, nodeSelector: {}, hostInterfaceName: 5}]}'),
        ),
      args: ['plan', '--cluster', 'FOLDER/type.yaml'],
      says: [
        'error: FOLDER/type.yaml: Uplink/blue: spec.nodeConfigs[0].hostInterfaceName: expected a string, found number 5',
      ],
    },
    {
      name: 'one object twice',
      prepare: () => {
        writeFileSync(inFolder('a.yaml'), good);
        writeFileSync(inFolder('b.yaml'), good);
      },
      args: ['plan', '--cluster', 'FOLDER'],
      says: ['FOLDER/a.yaml', 'FOLDER/b.yaml', 'Uplink/good'],
    },
    {
      name: 'an empty folder',
      args: ['plan', '--cluster', 'FOLDER'],
      says: ['error: FOLDER: '],
    },
    {
      name: 'a list of nothing',
      prepare: () => {
        writeFileSync(inFolder('nothing.yaml'), 'apiVersion: v1\nkind: List\nitems: []\n');
      },
      args: ['plan', '--exit-code', '--cluster', 'FOLDER/nothing.yaml'],
      says: ['error: FOLDER/nothing.yaml: has no object'],
    },
    {
      name: 'a file beyond the limit',
      prepare: () => {
        writeFileSync(inFolder('huge.yaml'), good);
        truncateSync(inFolder('huge.yaml'), 64 * 1024 * 1024 + 1);
      },
      args: ['plan', '--cluster', 'FOLDER/huge.yaml'],
      says: ['error: FOLDER/huge.yaml: ', '64 MiB'],
    },
    {
      name: 'a loop of symbolic links',
      prepare: () => {
        writeFileSync(inFolder('good.yaml'), good);
        mkdirSync(inFolder('sub'));
        symlinkSync(folder, inFolder('sub/back'));
      },
      args: ['plan', '--cluster', 'FOLDER'],
      says: ['error: FOLDER/sub/back: '],
    },
    {
      name: 'a URL in place of a path',
      args: ['plan', '--cluster', 'https://127.0.0.1/objects.yaml'],
      says: ['error: https://127.0.0.1/objects.yaml: is a URL, not a path: nothing is downloaded'],
    },
    {
      name: 'a path that is not there',
      args: ['plan', '--cluster', 'FOLDER/absent.yaml'],
      says: ['error: FOLDER/absent.yaml: '],
    },
    { name: 'no cluster objects', args: ['plan'], says: ['error: --cluster PATH is missing'] },
    {
      name: 'a capture without a name',
      args: ['plan', '--cluster', 'fixtures/cluster.yaml', '--host', 'fixtures/captures/worker-a'],
      says: ['error: --host fixtures/captures/worker-a: expected NODE=DIR'],
    },
    {
      name: 'a capture of a node that the cluster does not have',
      args: ['plan', '--cluster', 'fixtures/cluster.yaml', '--host', 'worker-x=fixtures/captures/worker-a'],
      says: ['error: --host worker-x=fixtures/captures/worker-a: the cluster objects have no Node worker-x'],
    },
    {
      name: 'two captures of one node',
      args: [
        ...['plan', '--cluster', 'fixtures/cluster.yaml'],
        ...['--host', 'worker-a=fixtures/captures/worker-a', 'worker-a=fixtures/captures/worker-a-blue-enslaved'],
      ],
      says: ['error: --host worker-a=…: given twice'],
    },
    {
      name: 'a half-written capture',
      prepare: () => {
        cpSync('fixtures/captures/worker-a', inFolder('node'), { recursive: true });
        const links = readFileSync(inFolder('node/ip-link.json'), 'utf8');
        writeFileSync(inFolder('node/ip-link.json'), links.slice(0, 5000));
        rmSync(inFolder('node/ovsdb.json'));
      },
      args: ['plan', '--cluster', 'fixtures/cluster.yaml', '--host', 'worker-a=FOLDER/node'],
      says: ['error: FOLDER/node/ip-link.json: ', 'error: FOLDER/node/ovsdb.json: '],
    },
    {
      name: 'a capture whose link has a number for a name',
      prepare: () => {
        cpSync('fixtures/captures/worker-a', inFolder('node'), { recursive: true });
        const links = readFileSync(inFolder('node/ip-link.json'), 'utf8');
        writeFileSync(inFolder('node/ip-link.json'), links.replace('"ifname":"eth0"', '"ifname":7'));
      },
      args: ['plan', '--cluster', 'fixtures/cluster.yaml', '--host', 'worker-a=FOLDER/node'],
      says: ['error: FOLDER/node/ip-link.json: [1].ifname: expected a string, found number 7'],
    },
    {
      name: 'a network that is not there',
      args: ['explain', 'green', 'worker-a', '--cluster', 'fixtures/cluster.yaml'],
      says: ['error: the cluster objects have no ClusterUserDefinedNetwork green; they have blue, red'],
    },
    {
      name: 'a file of options with an unknown one',
      prepare: () => writeFileSync(inFolder('config.yaml'), 'gateway-mode: shared\ngatewaymode: local\n'),
      args: ['plan', '--config', 'FOLDER/config.yaml', '--print-config'],
      says: ['error: FOLDER/config.yaml: gatewaymode: unknown option; known are gateway-mode, '],
    },
    {
      name: 'a file of options with a wrong value',
      prepare: () => writeFileSync(inFolder('config.yaml'), 'gateway-mode: remote\n'),
      args: ['plan', '--config', 'FOLDER/config.yaml', '--print-config'],
      says: ['error: FOLDER/config.yaml: gateway-mode: expected one of shared, local, found string "remote"'],
    },
    {
      name: 'a file of options with a duration without unit',
      prepare: () => writeFileSync(inFolder('config.yaml'), 'udn-deletion-grace-period: "90"\n'),
      args: ['plan', '--config', 'FOLDER/config.yaml', '--print-config'],
      says: [
        'error: FOLDER/config.yaml: udn-deletion-grace-period: expected a duration such as 120s, 2m or 0s, found string "90"',
      ],
    },
  ];

  for (const { name, prepare, args, says } of cases) {
    it(`${name} is reported, and nothing else happens`, async () => {
      prepare?.();
      const { stdout, stderr, exitCode } = await ovnUplinks(args.map((arg) => arg.replace('FOLDER', folder)));
      expect(exitCode).to.equal(1);
      expect(stdout).to.equal('');
      for (const text of says) expect(stderr.replaceAll(folder, 'FOLDER')).to.contain(text);
    });
  }

  it('a missing path is reported by a process too, which exits with status 1', async () => {
    const { stdout, stderr, exitCode } = await ovnUplinksProcess(['plan', '--cluster', inFolder('absent.yaml')]);
    expect([exitCode, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.match(/^error: .*absent\.yaml: [^\n]*$/);
  });

  it('what is not understood degrades only itself: an unknown type, operator and annotation', async () => {
    const objects = readFileSync('fixtures/cluster.yaml', 'utf8')
      .replace('\'{"default":{"mode"', '\'{"default":{{"mode"')
      .replace(
        '{type: OVSBridge, nodeSelector: {}, hostInterfaceName: red0}',
        '{type: Tunnel, nodeSelector: {}, hostInterfaceName: red0}',
      );
    const odd = uplink(
      'odd',
      '{nodeConfigs: [{type: OVSBridge, nodeSelector: {matchExpressions: [{key: a, operator: Near}]}, hostInterfaceName: br-two}]}',
    );
    writeFileSync(inFolder('cluster.yaml'), objects);
    writeFileSync(inFolder('odd.yaml'), odd);
    const { stdout, exitCode } = await ovnUplinks([
      ...['plan', '--output', 'json', '--cluster', folder],
      ...['--host', 'worker-a=fixtures/captures/worker-a'],
    ]);
    expect(exitCode).to.equal(0);
    const {
      nodes,
      objects: written,
      warnings,
    } = JSON.parse(stdout) as {
      nodes: Record<string, { networks: { name: string; reason: string; held: boolean }[] }>;
      objects: { kind: string; metadata: { name: string }; status: { conditions: { reason: string }[] } }[];
      warnings: string[];
    };
    const rows = nodes['worker-a']?.networks.map(({ name, reason, held }) => ({ name, reason, held }));
    expect(rows).to.deep.equal([
      { name: 'blue', reason: 'Ready', held: false },
      { name: 'red', reason: 'UplinkNotReadyForNode', held: true },
    ]);
    const degraded = written.find(({ kind, metadata }) => kind === 'Uplink' && metadata.name === 'odd');
    expect(degraded?.status.conditions[0]?.reason).to.equal('NodeSelectorInvalid');
    const told = warnings.map((line) => line.replaceAll(folder, 'FOLDER')).join('\n');
    expect(told).to.contain(
      'FOLDER/cluster.yaml: Node/worker-a: metadata.annotations["k8s.ovn.org/l3-gateway-config"]',
    );
    expect(told).to.contain(
      'FOLDER/cluster.yaml: Uplink/red-underlay: spec.nodeConfigs[0].type: expected one of OVSBridge',
    );
  });

  it('validate prints every finding', async () => {
    writeFileSync(
      inFolder('bad.yaml'),
      [
        uplink('a', '{nodeConfigs: [{type: Tunnel, nodeSelector: {}, hostInterfaceName: "."}]}'),
        uplink('b', '{nodeConfigs: [], extra: 1}'),
        uplink('c', '{nodeConfigs: [{type: OVSBridge, nodeSelector: {}, hostInterfaceName: "br/blue"}]}'),
        good,
      ].join('---\n'),
    );
    const { stdout, exitCode } = await ovnUplinks(['validate', inFolder('bad.yaml')]);
    expect(exitCode).to.equal(1);
    expect(stdout.replaceAll(folder, 'FOLDER').split('\n')).to.deep.equal([
      "FOLDER/bad.yaml: Uplink/a: spec.nodeConfigs[0].hostInterfaceName: must not be '.' or '..'",
      'FOLDER/bad.yaml: Uplink/a: spec.nodeConfigs[0].type: expected one of OVSBridge, found string "Tunnel"',
      'FOLDER/bad.yaml: Uplink/b: spec.extra: unknown field, which the API server drops',
      'FOLDER/bad.yaml: Uplink/b: spec.nodeConfigs: expected at least 1 item, found a list of 0 items',
      'FOLDER/bad.yaml: Uplink/c: spec.nodeConfigs[0].hostInterfaceName: expected 1 to 15 bytes without "/", ":" or white space, found string "br/blue"',
      '4 objects checked: 5 findings',
    ]);
  });

  it('validate says where fields of a topology belong that stand beside it', async () => {
    const spec = '{ topology: Layer2, role: Primary, mtu: 70000, subnets: [10.1.0.0/16], ipamLifecycle: Persistent }';
    const head = 'apiVersion: k8s.ovn.org/v1\nkind: UserDefinedNetwork\nmetadata: { namespace: demo, name: a }\n';
    writeFileSync(inFolder('flat.yaml'), `${head}spec: ${spec}\n`);
    const { stdout, exitCode } = await ovnUplinks(['validate', inFolder('flat.yaml')]);
    expect(exitCode).to.equal(1);
    expect(stdout.replaceAll(folder, 'FOLDER').split('\n')).to.deep.equal([
      'FOLDER/flat.yaml: UserDefinedNetwork/demo/a: spec: fields of topology Layer2 belong below spec.layer2: role, mtu, subnets, ipamLifecycle as ipam.lifecycle',
      'FOLDER/flat.yaml: UserDefinedNetwork/demo/a: spec.layer2.mtu: expected at most 65536, found number 70000',
      '1 object checked: 2 findings',
    ]);
  });

  it('plan says that too, of a network that it cannot read and of one that it reads without them', async () => {
    const head = 'apiVersion: k8s.ovn.org/v1\nkind: ClusterUserDefinedNetwork\nmetadata: { name: a }\n';
    const fields = '{ topology: Layer2, role: Primary, subnets: [10.1.0.0/16] }';
    const hint = 'fields of topology Layer2 belong below spec.network.layer2: role, subnets';
    const args = ['plan', ...workerA, '--cluster', inFolder('flat.yaml')];
    writeFileSync(inFolder('flat.yaml'), `${head}spec: { namespaceSelector: {}, template: ${fields} }\n`);
    const refused = await ovnUplinks(args);
    expect(refused.stderr.replaceAll(folder, 'FOLDER')).to.equal(
      `error: FOLDER/flat.yaml: ClusterUserDefinedNetwork/a: spec.template: the field is called spec.network; ${hint}`,
    );
    expect(refused.exitCode).to.equal(1);
    writeFileSync(inFolder('flat.yaml'), `${head}spec: { namespaceSelector: {}, network: ${fields} }\n`);
    expect((await ovnUplinks(args)).stdout).to.include(`ClusterUserDefinedNetwork/a: spec.network: ${hint}`);
  });

  it('a subnet with host bits is the one that it stands for', async () => {
    const { stdout, stderr } = await ovnUplinks([
      'plan',
      ...workerA,
      '--service-cidr',
      '10.112.5.1/16',
      '--service-cidr',
      'fd98::1/112',
    ]);
    expect(stderr.split('\n')).to.deep.equal([
      'warning: --service-cidr 10.112.5.1/16 has host bits: 10.112.0.0/16 is used',
      'warning: --service-cidr fd98::1/112 has host bits: fd98::/112 is used',
    ]);
    expect(stdout).to.include('route 10.112.0.0/16 via 169.254.0.4');
  });

  it('a network with host bits in a subnet is valid, with a warning, in validate and in plan', async () => {
    const subnets = '[{ cidr: 10.1.2.3/16 }]';
    const network = `{ topology: Layer3, layer3: { role: Primary, subnets: ${subnets} } }`;
    const head = 'apiVersion: k8s.ovn.org/v1\nkind: ClusterUserDefinedNetwork\nmetadata: { name: a }\n';
    writeFileSync(inFolder('network.yaml'), `${head}spec: { namespaceSelector: {}, network: ${network} }\n`);
    const warning =
      'ClusterUserDefinedNetwork/a: spec.network.layer3.subnets[0].cidr: 10.1.2.3/16 has host bits: 10.1.0.0/16 is used';
    const { stdout, stderr, exitCode } = await ovnUplinks(['validate', inFolder('network.yaml')]);
    expect({ stdout, exitCode }).to.deep.equal({ stdout: '1 object checked: all valid', exitCode: 0 });
    expect(stderr.replaceAll(folder, 'FOLDER')).to.equal(`warning: FOLDER/network.yaml: ${warning}`);
    const json = await ovnUplinks(['validate', inFolder('network.yaml'), '--output', 'json']);
    expect(json.stderr).to.equal('');
    expect(JSON.parse(json.stdout)).to.have.nested.property('warnings[0].path', 'spec.network.layer3.subnets[0].cidr');
    const plan = await ovnUplinks(['plan', ...workerA, '--cluster', inFolder('network.yaml')]);
    expect(plan.stdout).to.include(warning);
  });

  describe('a warning is printed once, whether on standard output or standard error', () => {
    const network = '{ topology: Layer3, layer3: { role: Primary, subnets: [{ cidr: 10.1.2.3/16 }] } }';
    const ofNetwork = '10.1.2.3/16 has host bits';
    const ofOption = '10.112.5.1/16 has host bits';
    for (const { args, warnings } of [
      { args: ['plan'], warnings: [ofNetwork, ofOption] },
      { args: ['plan', '--networks', 'all'], warnings: [ofNetwork, ofOption] },
      { args: ['plan', '--output', 'json'], warnings: [ofNetwork, ofOption] },
      { args: ['flows', 'worker-a'], warnings: [ofOption] },
      { args: ['explain', 'blue', 'worker-a'], warnings: [ofOption] },
      { args: ['trace', 'blue', 'worker-a', 'icmp 10.20.1.5 > 198.51.100.10'], warnings: [ofOption] },
    ]) {
      it(args.join(' '), async () => {
        const head = 'apiVersion: k8s.ovn.org/v1\nkind: ClusterUserDefinedNetwork\nmetadata: { name: a }\n';
        writeFileSync(inFolder('a.yaml'), `${head}spec: { namespaceSelector: {}, network: ${network} }\n`);
        const input = [...workerA, '--cluster', inFolder('a.yaml'), '--service-cidr', '10.112.5.1/16'];
        const { stdout, stderr } = await ovnUplinks([...args, ...input]);
        const printed = `${stdout}\n${stderr}`;
        for (const warning of warnings) expect(printed.split(warning), warning).to.have.length(2);
      });
    }
  });

  it('validate names what it does not check, and says what was probably meant', async () => {
    const deployment = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\n';
    const misspelled = 'apiVersion: k8s.ovn.org/v1alpha1\nkind: Uplnik\nmetadata: { name: a }\n';
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: { name: a }\n';
    writeFileSync(inFolder('others.yaml'), [deployment, misspelled, secret, deployment].join('---\n'));
    const run = await ovnUplinks(['validate', inFolder('others.yaml')]);
    expect(run.stdout.replaceAll(folder, 'FOLDER').split('\n')).to.deep.equal([
      'FOLDER/others.yaml: line 5: kind Uplnik of group k8s.ovn.org is not known; did you mean Uplink?',
      'not checked: Deployment.apps (2), Secret',
      '0 objects checked: 1 finding',
    ]);
    const json = await ovnUplinks(['validate', inFolder('others.yaml'), '--output', 'json']);
    expect(JSON.parse(json.stdout)).to.deep.include({
      objects: 0,
      otherKinds: 3,
      others: { 'Deployment.apps': 2, Secret: 1 },
    });
    writeFileSync(inFolder('others.yaml'), secret);
    const nothing = await ovnUplinks(['validate', inFolder('others.yaml')]);
    expect(nothing).to.deep.include({
      exitCode: 1,
      stdout: 'not checked: Secret\nno object checked: expected at least one of a kind that ovn-uplinks reads',
    });
  });

  it('plan warns of an object whose kind seems to be misspelled', async () => {
    writeFileSync(
      inFolder('misspelled.yaml'),
      'apiVersion: k8s.ovn.org/v1alpha1\nkind: Uplnik\nmetadata: { name: a }\n',
    );
    const { stdout, exitCode } = await ovnUplinks(['plan', ...workerA, '--cluster', inFolder('misspelled.yaml')]);
    expect(exitCode).to.equal(0);
    expect(stdout).to.include('kind Uplnik of group k8s.ovn.org is not known; did you mean Uplink?');
  });

  it('an agent warns of an object in its folder whose kind seems to be misspelled, once', async () => {
    const node = 'apiVersion: v1\nkind: Node\nmetadata: { name: a }\n';
    const misspelled = 'apiVersion: k8s.ovn.org/v1alpha1\nkind: Uplnik\nmetadata: { name: a }\n';
    writeFileSync(inFolder('objects.yaml'), `${node}---\n${misspelled}`);
    const { stderr, exitCode } = await ovnUplinksProcess(['cluster-manager', '--manifests', folder, '--once']);
    expect(exitCode).to.equal(0);
    const warnings = stderr.split('\n').filter((line) => line.includes('"level":"warn"'));
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include(
      'objects.yaml: line 5: kind Uplnik of group k8s.ovn.org is not known; did you mean Uplink?',
    );
  });

  it('validate finds nothing wrong with the objects of the demo', async () => {
    const { stdout, exitCode } = await ovnUplinksProcess(['validate', 'fixtures/cluster.yaml']);
    expect(stdout).to.equal('13 objects checked: all valid');
    expect(exitCode).to.equal(0);
  });
});
