import { expect } from 'chai';
import { readCall } from '../../../../../src/domain/pods/cni/call.ts';
import { type CniError, errorCodes, errorText } from '../../../../../src/domain/pods/cni/error.ts';
import { type CniRequest, PROTOCOL_VERSION } from '../../../../../src/domain/pods/cni/messages.ts';
import { CNI_VERSIONS } from '../../../../../src/domain/pods/cni/versions.ts';

const configuration = { cniVersion: '1.1.0', name: 'cluster_udn_blue', type: 'ovn-uplinks-cni' };

/** A valid ADD, changed. */
function request(changed: Partial<CniRequest> = {}, config: object = {}): CniRequest {
  return {
    protocol: PROTOCOL_VERSION,
    command: 'ADD',
    containerId: 'c0ffee',
    netns: '/run/netns/web',
    ifname: 'net1',
    args: 'IgnoreUnknown=1;K8S_POD_NAMESPACE=demo;K8S_POD_NAME=web;K8S_POD_UID=1-2',
    config: JSON.stringify({ ...configuration, ...config }),
    ...changed,
  };
}

function errorOf(input: CniRequest): CniError | undefined {
  const read = readCall(input);
  return read.valid ? undefined : read.error;
}

const attachment = { containerId: 'c0ffee', ifname: 'net1' };

describe('a call of the CNI plugin', () => {
  for (const cniVersion of CNI_VERSIONS) {
    it(`is read in version ${cniVersion}`, () => {
      expect(readCall(request({}, { cniVersion }))).to.deep.equal({
        valid: true,
        call: {
          command: 'ADD',
          cniVersion,
          network: 'cluster_udn_blue',
          attachment,
          netns: '/run/netns/web',
          pod: { namespace: 'demo', name: 'web', uid: '1-2' },
        },
      });
    });
  }

  it('has no uid of the pod with older runtimes', () => {
    const read = readCall(request({ args: 'K8S_POD_NAME=web;K8S_POD_NAMESPACE=demo' }));
    expect(read).to.have.nested.property('call.pod').deep.equal({ namespace: 'demo', name: 'web' });
  });

  it('has the result of earlier plugins', () => {
    const prevResult = { cniVersion: '1.1.0', ips: [{ address: '10.244.0.3/24' }], dns: {} };
    expect(readCall(request({}, { prevResult })))
      .to.have.nested.property('call.previous')
      .deep.equal(prevResult);
    expect(readCall(request({}, { prevResult: null }))).not.to.have.nested.property('call.previous');
  });

  it('needs neither namespace nor pod nor name of the network to delete', () => {
    const input = request({ command: 'DEL', netns: '', args: '' }, { name: '' });
    expect(readCall(input)).to.deep.equal({ valid: true, call: { command: 'DEL', cniVersion: '1.1.0', attachment } });
  });

  it('needs nothing of a configuration but its version to detach', () => {
    const network = 'cluster_udn_blue';
    for (const [name, named] of [
      [7, {}],
      [network, { network }],
    ] as const) {
      const input = request({ command: 'DEL' }, { cniVersion: '1.0.0', name, prevResult: { ips: 'all' } });
      const call = { command: 'DEL', cniVersion: '1.0.0', ...named, attachment };
      expect(readCall(input)).to.deep.equal({ valid: true, call });
    }
  });

  it('has the attachments that still exist to collect the others', () => {
    const input = request(
      { command: 'GC', containerId: '', netns: '', ifname: '', args: '' },
      { 'cni.dev/valid-attachments': [{ containerID: 'c0ffee', ifname: 'net1' }] },
    );
    expect(readCall(input)).to.deep.equal({
      valid: true,
      call: { command: 'GC', cniVersion: '1.1.0', network: 'cluster_udn_blue', valid: [attachment] },
    });
  });

  it('has no attachments that still exist in an empty list, as Go writes it', () => {
    const input = request({ command: 'GC' }, { 'cni.dev/valid-attachments': null });
    expect(readCall(input)).to.have.nested.property('call.valid').deep.equal([]);
  });

  it('needs nothing but a configuration to ask for the status', () => {
    const input = request({ command: 'STATUS', containerId: '', netns: '', ifname: '', args: '' }, { name: '' });
    expect(readCall(input)).to.deep.equal({ valid: true, call: { command: 'STATUS', cniVersion: '1.1.0' } });
  });
});

/** The invalid part of a call, the code of the error, and a part of its details. */
const invalid: Readonly<Record<string, readonly [CniRequest, number, string]>> = {
  'no command': [
    request({ command: '' }),
    4,
    'CNI_COMMAND is "", expected one of ADD, DEL, CHECK, STATUS, GC, VERSION',
  ],
  'an unknown command': [request({ command: 'UPDATE' }), 4, 'CNI_COMMAND is "UPDATE"'],
  'no container id': [request({ containerId: '' }), 4, 'CNI_CONTAINERID is missing'],
  'a container id of 1,000 characters': [
    request({ containerId: 'c'.repeat(1000) }),
    4,
    'CNI_CONTAINERID has 1000 characters, expected at most 243',
  ],
  'a container id with a path': [request({ containerId: '../etc' }), 4, 'CNI_CONTAINERID is "../etc"'],
  'a container id with a line end': [request({ containerId: 'c0ffee\n' }), 4, 'CNI_CONTAINERID is "c0ffee\\n"'],
  'no interface name': [request({ ifname: '' }), 4, 'CNI_IFNAME is missing'],
  'an interface name of 16 bytes': [request({ ifname: 'n'.repeat(16) }), 4, 'CNI_IFNAME is "nnnnnnnnnnnnnnnn"'],
  'an interface name with a slash': [request({ ifname: '../net1' }), 4, 'CNI_IFNAME is "../net1"'],
  'no namespace': [request({ netns: '' }), 4, 'CNI_NETNS is missing'],
  'a namespace without path': [request({ netns: 'web' }), 4, 'CNI_NETNS is "web", expected an absolute path'],
  'a namespace with a path of 5,000 characters': [request({ netns: `/${'n'.repeat(5000)}` }), 4, 'CNI_NETNS is "/nnn'],
  'no pod': [request({ args: '' }), 4, 'CNI_ARGS is "", expected K8S_POD_NAMESPACE and K8S_POD_NAME'],
  'a pod with a path as its name': [
    request({ args: 'K8S_POD_NAMESPACE=demo;K8S_POD_NAME=../web' }),
    4,
    'CNI_ARGS is "K8S_POD_NAMESPACE=demo;K8S_POD_NAME=../web"',
  ],
  'several variables': [request({ containerId: '', netns: '' }), 4, 'CNI_CONTAINERID is missing; CNI_NETNS is missing'],
  'no configuration': [request({ config: '' }), 6, 'standard input is not valid JSON'],
  'half a configuration': [request({ config: '{"cniVersion":"1.1.0"' }), 6, 'standard input is not valid JSON'],
  'a list as configuration': [
    request({ config: '[]' }),
    7,
    'standard input: expected an object, found a list of 0 items',
  ],
  'a number as version': [request({}, { cniVersion: 1 }), 7, 'cniVersion: expected a string, found number 1'],
  'no version': [request({}, { cniVersion: undefined }), 1, 'cniVersion is "0.1.0"'],
  'an older version': [request({}, { cniVersion: '0.2.0' }), 1, 'cniVersion is "0.2.0", expected one of 0.3.1, 0.4.0'],
  'a newer version': [request({}, { cniVersion: '2.0.0' }), 1, 'cniVersion is "2.0.0"'],
  'an unknown version, whatever else': [request({ netns: '' }, { cniVersion: '9' }), 1, 'cniVersion is "9"'],
  'CHECK before it was specified': [
    request({ command: 'CHECK' }, { cniVersion: '0.3.1' }),
    1,
    'cniVersion is "0.3.1", and CHECK requires 0.4.0 or newer',
  ],
  'GC before it was specified': [request({ command: 'GC' }, { cniVersion: '1.0.0' }), 1, 'GC requires 1.1.0'],
  'STATUS before it was specified': [
    request({ command: 'STATUS' }, { cniVersion: '1.0.0' }),
    1,
    'STATUS requires 1.1.0',
  ],
  'no name of the network': [request({}, { name: undefined }), 7, 'name is "", expected letters'],
  'a name of the network with a path': [request({}, { name: 'a/b' }), 7, 'name is "a/b", expected letters'],
  'CHECK without the result of ADD': [
    request({ command: 'CHECK' }),
    7,
    'prevResult: expected the result of ADD, found nothing',
  ],
  'a result that is none': [request({}, { prevResult: { ips: 'all' } }), 7, 'prevResult'],
  'GC without the attachments that exist': [
    request({ command: 'GC' }),
    7,
    'cni.dev/valid-attachments: expected the list of valid attachments, found nothing',
  ],
  'messages of another version': [request({ protocol: 1 }), 11, 'the plugin uses version 1 of the messages'],
};

describe('an invalid call of the CNI plugin', () => {
  for (const [what, [input, code, details]] of Object.entries(invalid)) {
    it(`with ${what} is an error with code ${code}`, () => {
      const error = errorOf(input);
      expect(error?.code).to.equal(code);
      expect(error?.details).to.include(details);
    });
  }

  it('has its version for the output', () => {
    const invalid = request({}, { cniVersion: '1.0.0', prevResult: { ips: 'all' } });
    expect(readCall(invalid)).to.have.property('cniVersion', '1.0.0');
    expect(readCall(request({}, { cniVersion: '2.0.0' }))).to.have.property('cniVersion', '2.0.0');
    expect(readCall(request({ config: '' }))).not.to.have.property('cniVersion');
  });

  it('is told as the specification has it', () => {
    const error = { code: errorCodes.tryAgainLater, message: 'no network yet', details: 'it is being created' };
    expect(JSON.parse(errorText(error, '1.0.0'))).to.deep.equal({
      cniVersion: '1.0.0',
      code: 11,
      msg: 'no network yet',
      details: 'it is being created',
    });
  });
});
