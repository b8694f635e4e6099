import { expect } from 'chai';
import { contentsOfText } from '../../../../src/adapters/manifests/manifest-text.ts';
import { repeatedObjects } from '../../../../src/adapters/manifests/repeated-objects.ts';
import { describeProblem } from '../../../../src/ports/input-problem.ts';
import { list, pod, uplink } from './example-objects.ts';

/** The problems of the objects in some files, as printed. */
function problemsOf(files: Readonly<Record<string, string>>): readonly string[] {
  const objects = Object.entries(files).flatMap(([file, text]) => contentsOfText(file, text).objects);
  return repeatedObjects(objects).map(describeProblem);
}

const yaml = 'apiVersion: k8s.ovn.org/v1alpha1\nkind: Uplink\nmetadata: {name: blue}\n';

describe('an object that is defined twice', () => {
  it('is reported with both files', () => {
    expect(
      problemsOf({ 'a.json': JSON.stringify(uplink('blue')), 'b.json': JSON.stringify(uplink('blue')) }),
    ).to.deep.equal(['b.json: Uplink/blue: is defined twice: in a.json and in b.json']);
  });

  it('is reported with both lines, also in one file', () => {
    expect(problemsOf({ 'a.yaml': `${yaml}---\n${yaml}` })).to.deep.equal([
      'a.yaml: Uplink/blue: is defined twice: in a.yaml at line 1 and in a.yaml at line 5',
    ]);
  });

  it('is reported with its position in a list', () => {
    expect(problemsOf({ 'a.json': JSON.stringify(list(uplink('red'), uplink('blue'), uplink('blue'))) })).to.deep.equal(
      ['a.json: Uplink/blue: is defined twice: in a.json at items[1] and in a.json at items[2]'],
    );
  });

  it('is reported each time, with the first one', () => {
    expect(
      problemsOf({ 'a.json': JSON.stringify(list(uplink('blue'), uplink('blue'), uplink('blue'))) }),
    ).to.have.length(2);
  });

  it('may have the namespace default and none', () => {
    expect(problemsOf({ 'a.json': JSON.stringify(list(pod('a'), pod('a', 'default'))) })).to.have.length(1);
  });

  it('may have two versions', () => {
    const configuration = (version: string) => ({
      apiVersion: `frrk8s.metallb.io/${version}`,
      kind: 'FRRConfiguration',
      metadata: { name: 'a' },
    });
    expect(
      problemsOf({ 'a.json': JSON.stringify(list(configuration('v1beta1'), configuration('v1'))) }),
    ).to.have.length(1);
  });

  it('has a name', () => {
    const nameless = JSON.stringify({ ...uplink('blue'), metadata: {} });
    expect(problemsOf({ 'a.json': nameless, 'b.json': nameless })).to.deep.equal([]);
  });

  it('has the same kind, namespace and name', () => {
    const objects = [
      uplink('a'),
      uplink('b'),
      pod('a', 'web'),
      pod('a', 'db'),
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } },
    ];
    expect(problemsOf({ 'a.json': JSON.stringify(list(...objects)) })).to.deep.equal([]);
  });
});
