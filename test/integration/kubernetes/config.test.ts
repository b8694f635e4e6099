import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { load, loadAll } from 'js-yaml';
import { validateManifests } from '../../../src/adapters/manifests/validate-manifests.ts';
import { apiVersionOf } from '../../../src/domain/api/kind.ts';
import { kinds } from '../../../src/domain/api/kinds.ts';
import { temporaryFolders } from '../../unit/adapters/temporary-folders.ts';
import { ovnUplinks } from '../command.ts';
import { podOf } from '../image/pod.ts';
import { TestApiServer } from './api-server.ts';
import { exampleDefinitions } from './example-definitions.ts';
import { monitoringDefinitions } from './monitoring-definitions.ts';
import {
  ApiUser,
  CONFIG,
  configBesideOthers,
  configFile,
  configWith,
  kindsServed,
  onceServed,
} from './served-config.ts';

const newFolder = temporaryFolders();

const SERVER_SIDE = ['--server-side', '--validate=strict'];

/** The lines of a table, each with one space between its cells, and without ages. */
function rows(table: string): readonly string[] {
  return table
    .trimEnd()
    .split('\n')
    .map((line) =>
      line
        .replace(/ +/g, ' ')
        .replace(/ (\d+m)?\d+s\b/g, ' AGO')
        .trimEnd(),
    );
}

interface Definition {
  readonly metadata: { readonly name: string };
  readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
}

const kindsByPlural = new Map(
  Object.values(kinds).map((kind) => [kind.plural, [apiVersionOf(kind), kind.kind] as const]),
);

describe('config, on a real API server', () => {
  let server: TestApiServer;
  let administrator: ApiUser;

  before(async () => {
    server = await TestApiServer.start();
    administrator = await ApiUser.of(server);
    server.kubectl(['apply', ...SERVER_SIDE, `--kustomize=${CONFIG}`]);
    await kindsServed(server);
  });

  after(async () => {
    administrator.close();
    await server.stop();
  });

  async function setStatus(plural: string, name: string, status: object): Promise<void> {
    const [apiVersion, kind] = kindsByPlural.get(plural) ?? [];
    await administrator.send({
      method: 'PATCH',
      path: `/apis/${apiVersion}/${plural}/${name}/status`,
      query: { fieldManager: 'test' },
      body: { apiVersion, kind, metadata: { name }, status },
    });
  }

  describe('applied with kubectl apply --kustomize, strictly validated,', () => {
    it('is complete', () => {
      const all =
        'deployments,daemonsets,poddisruptionbudgets,services,networkpolicies,serviceaccounts,roles,rolebindings';
      const found = server.kubectl(['get', all, '--namespace=ovn-uplinks', '--output=name']);
      expect(found.trimEnd().split('\n')).to.have.members([
        'deployment.apps/ovn-uplinks-cluster-manager',
        'daemonset.apps/ovn-uplinks-node',
        'poddisruptionbudget.policy/ovn-uplinks-cluster-manager',
        'service/ovn-uplinks-cluster-manager',
        'networkpolicy.networking.k8s.io/ovn-uplinks-cluster-manager',
        'serviceaccount/ovn-uplinks-cluster-manager',
        'serviceaccount/ovn-uplinks-node',
        'role.rbac.authorization.k8s.io/ovn-uplinks-cluster-manager',
        'rolebinding.rbac.authorization.k8s.io/ovn-uplinks-cluster-manager',
      ]);
    });

    it('can be applied again without a change', () => {
      expect(server.kubectl(['diff', '--server-side', `--kustomize=${CONFIG}`])).to.equal('');
    });

    it('has CustomResourceDefinitions that are established and structural', () => {
      const { items } = JSON.parse(server.kubectl(['get', 'crds', '--output=json'])) as {
        readonly items: readonly Definition[];
      };
      expect(items.map(({ metadata }) => metadata.name)).to.include('uplinkstates.k8s.ovn.org');
      for (const { metadata, status } of items) {
        const conditions = new Map(status.conditions.map((condition) => [condition.type, condition.status]));
        expect([...conditions], metadata.name).to.deep.equal([
          ['NamesAccepted', 'True'],
          ['Established', 'True'],
        ]);
      }
    });

    it('names the service accounts of its pods in its policies', () => {
      const users = ['node', 'cluster-manager'].map((component) => {
        const [policy] = loadAll(configFile(`policy/${component}.yaml`)) as readonly {
          readonly spec: { readonly matchConditions: readonly { readonly expression: string }[] };
        }[];
        return policy?.spec.matchConditions[0]?.expression;
      });
      const accounts = ['agent/daemon-set.yaml', 'cluster-manager/deployment.yaml'].map((file) => {
        const { metadata, spec } = load(configFile(file)) as {
          readonly metadata: { readonly namespace: string };
          readonly spec: { readonly template: { readonly spec: { readonly serviceAccountName: string } } };
        };
        const { serviceAccountName } = spec.template.spec;
        return `request.userInfo.username == 'system:serviceaccount:${metadata.namespace}:${serviceAccountName}'`;
      });
      expect(users).to.deep.equal(accounts);
    });

    it('names existing PriorityClasses', () => {
      for (const file of ['agent/daemon-set.yaml', 'cluster-manager/deployment.yaml']) {
        const { spec } = load(configFile(file)) as {
          readonly spec: { readonly template: { readonly spec: { readonly priorityClassName: string } } };
        };
        server.kubectl(['get', 'priorityclass', spec.template.spec.priorityClassName]);
      }
    });

    it('leaves the definitions of networks out for clusters where OVN-Kubernetes serves it', () => {
      const kustomize = (folder: string) => server.kubectl(['kustomize', `${CONFIG}/${folder}`]);
      const names = (text: string) => (loadAll(text) as readonly Definition[]).map(({ metadata }) => metadata.name);
      const all = names(kustomize(''));
      expect(names(kustomize('other-networks'))).to.deep.equal(all.filter((name) => !/userdefinednetworks/.test(name)));
    });
  });

  it('has fields that kubectl explain explains', () => {
    const explained = server.kubectl(['explain', 'uplink.spec.nodeConfigs.hostInterfaceName']);
    expect(explained.replaceAll(/\s+/g, ' ')).to.include(
      'FIELD: hostInterfaceName <string> DESCRIPTION: Host-visible Linux interface that carries the gateway addresses of this uplink on the ' +
        'selected nodes. Must be 1 to 15 bytes without "/", ":" or white space.',
    );
    expect(server.kubectl(['explain', 'cudn.spec.uplinks'])).to.include('Names of the Uplinks that carry this network');
    expect(server.kubectl(['explain', 'uls.status.networks.ready'])).to.include('programmed completely');
  });

  it('has examples that the API server accepts, in which no field of any project is misspelled', async () => {
    const { problems, objects } = await validateManifests([`${CONFIG}/examples`], process.stdin);
    expect({ problems, objects }).to.deep.equal({ problems: [], objects: 8 });
    server.apply(...exampleDefinitions, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'frr-k8s-system' },
    });
    server.kubectl(['wait', '--for=condition=Established', '--timeout=60s', 'crds', '--all']);
    await onceServed(() => server.kubectl(['apply', ...SERVER_SIDE, `--kustomize=${CONFIG}/examples`]));
    const advertised = `${CONFIG}/examples/route-advertisements.yaml`;
    await onceServed(() => server.kubectl(['apply', ...SERVER_SIDE, `--filename=${advertised}`]));
    for (const [file, field, misspelled] of [
      ['bridge', 'auto-gateway', 'autogateway'],
      ['namespace-network', 'hostSubnet', 'hostsubnet'],
      ['route-advertisements', 'disableMP', 'disableMp'],
      ['route-advertisements', 'networkSelectionType', 'networkSelection'],
    ] as const) {
      const text = configFile(`examples/${file}.yaml`).replace(`${field}:`, `${misspelled}:`);
      const apply = () => server.kubectl(['apply', ...SERVER_SIDE, '--dry-run=server', '--filename=-'], text);
      expect(apply, field).to.throw(misspelled);
    }
  });

  it('has examples that are applied together, without those of kinds that few clusters have', () => {
    const rendered = loadAll(server.kubectl(['kustomize', `${CONFIG}/examples`])) as readonly {
      readonly kind: string;
    }[];
    const found = rendered.map(({ kind }) => kind);
    expect(found).to.include.members(['Uplink', 'ClusterUserDefinedNetwork', 'UserDefinedNetwork']);
    expect(found).not.to.include.oneOf(['RouteAdvertisements', 'FRRConfiguration']);
  });

  it('has columns with the problem and its place', async () => {
    const condition = (type: string, status: string, reason: string, message = '') => ({
      conditions: [
        { type, status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 1 },
      ],
    });
    const states = ['worker-a', 'worker-b'].map((node) => ({
      apiVersion: 'k8s.ovn.org/v1alpha1',
      kind: 'UplinkState',
      metadata: { name: `blue-underlay.${node}` },
    }));
    const examples = ['uplink', 'network'].map((name) => `--filename=${CONFIG}/examples/${name}.yaml`);
    server.kubectl(['apply', ...SERVER_SIDE, ...examples]);
    server.apply(...states);
    await setStatus('uplinkstates', 'blue-underlay.worker-a', {
      ...condition('Ready', 'True', 'Ready'),
      uplinkName: 'blue-underlay',
      nodeName: 'worker-a',
      type: 'OVSBridge',
      hostInterfaceName: 'br-blue',
      ovsBridge: { name: 'br-blue' },
      macAddress: '02:42:c0:00:02:06',
      ipAddresses: ['192.0.2.6/24'],
      defaultGateways: ['192.0.2.1'],
      networks: [
        { name: 'blue', ready: 'True', reason: 'Ready' },
        { name: 'red', ready: 'False', reason: 'GatewayRouterFailed', message: 'refused' },
      ],
    });
    await setStatus('uplinkstates', 'blue-underlay.worker-b', {
      ...condition('Ready', 'False', 'BridgeNotFound', 'br-blue is no port of a bridge'),
      uplinkName: 'blue-underlay',
      nodeName: 'worker-b',
      type: 'OVSBridge',
      hostInterfaceName: 'br-blue',
    });
    const where = '1 of 2 selected nodes not ready: worker-b (BridgeNotFound)';
    await setStatus('uplinks', 'blue-underlay', condition('Degraded', 'True', 'BridgeNotFound', where));
    await setStatus('clusteruserdefinednetworks', 'blue', {
      ...condition('UplinksReady', 'False', 'UplinkNotReadyForNode', where),
      attachedPods: 3,
    });

    expect(rows(server.kubectl(['get', 'uplinks,uplinkstates,cudn']))).to.deep.equal([
      'NAME DEGRADED REASON AGE',
      'uplink.k8s.ovn.org/blue-underlay True BridgeNotFound AGO',
      '',
      'NAME UPLINK NODE INTERFACE BRIDGE READY REASON AGE FAILED NETWORK FAILURE',
      'uplinkstate.k8s.ovn.org/blue-underlay.worker-a blue-underlay worker-a br-blue br-blue True Ready AGO red GatewayRouterFailed',
      'uplinkstate.k8s.ovn.org/blue-underlay.worker-b blue-underlay worker-b br-blue False BridgeNotFound AGO',
      '',
      'NAME TOPOLOGY UPLINK UPLINKS READY REASON AGE READY PODS',
      'clusteruserdefinednetwork.k8s.ovn.org/blue Layer3 blue-underlay False UplinkNotReadyForNode AGO 3',
    ]);
    expect(rows(server.kubectl(['get', 'ul,cudn', '--output=wide']))[1]).to.equal(
      `uplink.k8s.ovn.org/blue-underlay True BridgeNotFound AGO ${where}`,
    );
    expect(rows(server.kubectl(['get', 'uls', '--output=wide']))[1]).to.match(
      / red GatewayRouterFailed refused 02:42:c0:00:02:06 192\.0\.2\.6\/24 192\.0\.2\.1$/,
    );
    expect(server.kubectl(['get', 'ovn-uplinks', '--output=name']).trimEnd().split('\n')).to.have.length(4);
    server.kubectl(['wait', '--for=condition=UplinksReady=false', '--timeout=10s', 'cudn/blue']);
    const finalizers = (names: string) =>
      server.kubectl(['patch', 'ul/blue-underlay', '--type=merge', `--patch={"metadata":{"finalizers":${names}}}`]);
    finalizers('["example.org/kept"]');
    server.kubectl(['delete', 'ul/blue-underlay', '--wait=false']);
    expect(rows(server.kubectl(['get', 'ul', '--output=wide']))[1]).to.equal(
      `blue-underlay True BridgeNotFound AGO ${where} AGO`,
    );
    finalizers('null');
  });

  describe('with components', () => {
    it('is monitored, and finds Open vSwitch in pods', async () => {
      server.apply(...monitoringDefinitions);
      const both = configWith('monitoring', 'openvswitch-daemon-set');
      await onceServed(() => server.kubectl(['apply', ...SERVER_SIDE, `--kustomize=${both}`]));
      const found = server.kubectl([
        'get',
        'servicemonitors,prometheusrules',
        '--namespace=ovn-uplinks',
        '--output=name',
      ]);
      expect(found.trimEnd().split('\n')).to.have.members([
        'servicemonitor.monitoring.coreos.com/ovn-uplinks-cluster-manager',
        'servicemonitor.monitoring.coreos.com/ovn-uplinks-node',
        'prometheusrule.monitoring.coreos.com/ovn-uplinks',
      ]);
      const { spec } = podOf(server.kubectl(['kustomize', both]), 'DaemonSet');
      const pathOfVolume = (name: string) => spec.volumes.find((each) => each.name === name)?.hostPath?.path;
      expect(['openvswitch', 'ovn'].map(pathOfVolume)).to.deep.equal(['/run/openvswitch', '/run/openvswitch']);
      expect(spec.containers[0].command).to.include('--listen=:9477');
    });

    it('provides provided networks, with OVN in pods', async () => {
      const both = configWith('networks', 'ovn');
      await onceServed(() => server.kubectl(['apply', ...SERVER_SIDE, `--kustomize=${both}`]));
      expect(server.kubectl(['diff', '--server-side', `--kustomize=${both}`])).to.equal('');
      const manifests = server.kubectl(['kustomize', both]);
      const [agent] = podOf(manifests, 'DaemonSet', 'ovn-uplinks-node').spec.containers;
      const [manager] = podOf(manifests, 'Deployment').spec.containers;
      for (const { command } of [agent, manager]) expect(command).to.include('--config=/etc/ovn-uplinks');
      // Where the databases listen for the agent, and are to listen for ovn-controller.
      expect(agent.command).to.include.members([
        '--ovn-southbound=unix:/run/ovn/ovnsb_private.sock',
        '--admit-controller=punix:/run/ovn/ovnsb_db.sock',
      ]);
      const { spec } = podOf(manifests, 'DaemonSet', 'ovn-uplinks-ovn');
      expect(spec.containers.map(({ name }) => name)).to.deep.equal(['databases', 'northd', 'controller']);
    });

    it('has the settings of all components, which commands read too', async () => {
      const effective = async (...words: readonly string[]) => {
        const { stdout, stderr, exitCode } = await ovnUplinks(['plan', '--print-config', ...words]);
        expect(exitCode).to.equal(0);
        return { settings: load(stdout) as Record<string, unknown>, said: stderr };
      };
      const ofCluster = ['--kubeconfig', server.kubeconfig];
      const { settings, said } = await effective(...ofCluster);
      expect(settings).to.deep.include({ 'gateway-mode': 'shared', networks: 'all' });
      expect(said).to.match(/^settings: ConfigMap ovn-uplinks\/ovn-uplinks-settings-[a-z0-9]+$/);
      expect((await effective(...ofCluster, '--networks', 'none')).settings).to.include({ networks: 'none' });
      const elsewhere = await effective(...ofCluster, '--system-namespace', 'elsewhere');
      expect(elsewhere.settings).to.include({ networks: 'none' });
      expect(elsewhere.said).to.equal(
        'warning: the settings of the cluster cannot be read, so defaults count: Deployment elsewhere/ovn-uplinks-cluster-manager: deployments.apps "ovn-uplinks-cluster-manager" not found (HTTP 404); --config names a file with them',
      );
    });

    /** The settings that a process has with manifests. */
    async function settingsWith(manifests: string): Promise<unknown> {
      const { configMaps } = podOf(manifests, 'Deployment');
      const mounted = newFolder();
      for (const [name, text] of Object.values(configMaps).flatMap(Object.entries<string>))
        writeFileSync(join(mounted, name), text);
      const { stdout } = await ovnUplinks(['plan', '--config', mounted, '--print-config']);
      return load(stdout);
    }

    it('has settings of one’s own, which count after those of components', async () => {
      const own = `${configFile('default/settings.yaml')}networks: with-uplinks\n`;
      const manifests = server.kubectl(['kustomize', configBesideOthers(own)]);
      expect(await settingsWith(manifests)).to.deep.include({ networks: 'with-uplinks', 'gateway-mode': 'shared' });
    });

    it('lets networks leave by the nodes with a component of its own only, so that an upgrade opens nothing', async () => {
      const withComponents = (...names: readonly string[]) =>
        settingsWith(server.kubectl(['kustomize', configWith(...names)]));
      expect(await withComponents('networks')).to.deep.include({ networks: 'all', egress: 'none' });
      expect(await withComponents('networks', 'node-egress')).to.deep.include({ networks: 'all', egress: 'node' });
    });

    it('has Services for the ports of its pods', () => {
      const manifests = server.kubectl(['kustomize', configWith('monitoring')]);
      for (const [kind, component] of [
        ['DaemonSet', 'node'],
        ['Deployment', 'cluster-manager'],
      ] as const) {
        const [{ ports = [] }] = podOf(manifests, kind).spec.containers;
        const service = JSON.parse(
          server.kubectl(['get', 'service', `ovn-uplinks-${component}`, '--namespace=ovn-uplinks', '--output=json']),
        ) as { readonly spec: { readonly ports: readonly object[]; readonly selector: object } };
        expect(service.spec.ports).to.deep.equal(
          ports.map(({ name, containerPort }) => ({ name, port: containerPort, protocol: 'TCP', targetPort: name })),
        );
        expect(service.spec.selector).to.deep.include({ 'app.kubernetes.io/component': component });
      }
    });
  });
});
