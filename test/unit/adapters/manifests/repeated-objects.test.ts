import { expect } from 'chai';
import { contentsOfText } from '../../../../src/adapters/manifests/manifest-text.ts';
import { repeatedObjects } from '../../../../src/adapters/manifests/repeated-objects.ts';
import { describeProblem } from '../../../../src/ports/input-problem.ts';
import { list, pod, uplink } from './example-objects.ts';

/** What is told of the objects in some files. */
function repeated(files: Readonly<Record<string, string>>): readonly string[] {
  const objects = Object.entries(files).flatMap(([file, text]) => contentsOfText(file, text).objects);
  return repeatedObjects(objects).map(describeProblem);
}

const yaml = 'apiVersion: k8s.ovn.org/v1alpha1\nkind: Uplink\nmetadata: {name: blue}\n';

describe('an object that is given twice', () => {
  it('is told with both files', () => {
    expect(
      repeated({ 'a.json': JSON.stringify(uplink('blue')), 'b.json': JSON.stringify(uplink('blue')) }),
    ).to.deep.equal(['b.json: Uplink/blue: is given twice: in a.json and in b.json']);
  });

  it('is told with both lines, in one file too', () => {
    expect(repeated({ 'a.yaml': `${yaml}---\n${yaml}` })).to.deep.equal([
      'a.yaml: Uplink/blue: is given twice: in a.yaml at line 1 and in a.yaml at line 5',
    ]);
  });

  it('is told with its place in a list', () => {
    expect(repeated({ 'a.json': JSON.stringify(list(uplink('red'), uplink('blue'), uplink('blue'))) })).to.deep.equal([
      'a.json: Uplink/blue: is given twice: in a.json at items[1] and in a.json at items[2]',
    ]);
  });

  it('is told each time, with the first', () => {
    expect(repeated({ 'a.json': JSON.stringify(list(uplink('blue'), uplink('blue'), uplink('blue'))) })).to.have.length(
      2,
    );
  });

  it('is one in the namespace default and one in none', () => {
    expect(repeated({ 'a.json': JSON.stringify(list(pod('a'), pod('a', 'default'))) })).to.have.length(1);
  });

  it('is one of another version', () => {
    const configuration = (version: string) => ({
      apiVersion: `frrk8s.metallb.io/${version}`,
      kind: 'FRRConfiguration',
      metadata: { name: 'a' },
    });
    expect(repeated({ 'a.json': JSON.stringify(list(configuration('v1beta1'), configuration('v1'))) })).to.have.length(
      1,
    );
  });

  it('is none without a name', () => {
    const nameless = JSON.stringify({ ...uplink('blue'), metadata: {} });
    expect(repeated({ 'a.json': nameless, 'b.json': nameless })).to.deep.equal([]);
  });

  it('is none of another kind, namespace or name', () => {
    const objects = [
      uplink('a'),
      uplink('b'),
      pod('a', 'web'),
      pod('a', 'db'),
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } },
    ];
    expect(repeated({ 'a.json': JSON.stringify(list(...objects)) })).to.deep.equal([]);
  });
});
