import { expect } from 'chai';
import { openPortWarning } from '../../../../src/domain/pods/open-port-warning.ts';
import { pod } from '../brief-objects.ts';

const warningOf = (text: string | undefined) => {
  const metadata = {
    name: 'web',
    namespace: 'demo',
    uid: '1',
    ...(text !== undefined && { annotations: { 'k8s.ovn.org/open-default-ports': text } }),
  };
  return openPortWarning(pod('web', 'demo', 'worker-a', { metadata }));
};

describe('the warning about the ports that a pod opens', () => {
  it('is there for no pod whose ports are all opened', () => {
    for (const text of [undefined, '[]', '[{protocol: tcp, port: 80}]']) expect(warningOf(text)).to.equal(undefined);
  });

  it('says what was found, what was expected, which ports are open, and what to do', () => {
    expect(warningOf('[{protocol: tcp, port: 80}, {protocol: udp, port: 53}]')).to.deep.equal({
      kind: 'Pod',
      namespace: 'demo',
      name: 'web',
      uid: '1',
      reason: 'OpenPortsRefused',
      message:
        'annotation k8s.ovn.org/open-default-ports: [1].protocol: expected tcp or sctp, found udp, which would let the pod send anywhere; the pod opens only tcp 80; change the annotation, which is read also while the pod runs, and the template of the pod',
    });
    expect(warningOf('tcp/80')?.message).to.include(
      'expected a list of objects with protocol and port, found string "tcp/80"; the pod opens no port; change',
    );
  });

  it('names a few of many problems, in the bytes that an Event has', () => {
    const text = JSON.stringify(Array.from({ length: 100 }, () => ({ protocol: '\u0001'.repeat(12), port: 1 })));
    const { message = '' } = warningOf(text) ?? {};
    expect(message).to.include('[2].protocol').and.include('; and 97 more;').and.not.include('[3]');
    expect(Buffer.byteLength(message)).to.be.below(1024);
  });
});
