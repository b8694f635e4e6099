import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { temporaryFolders } from '../unit/adapters/temporary-folders.ts';
import { ovnUplinks, workerA } from './command.ts';

const newFolder = temporaryFolders();

describe('-o yaml', () => {
  const invalid = () => {
    const file = join(newFolder(), 'uplink.yaml');
    writeFileSync(file, 'apiVersion: k8s.ovn.org/v1alpha1\nkind: Uplink\nmetadata: { name: a }\n');
    return file;
  };
  for (const [name, words] of [
    ['plan', () => ['plan', ...workerA]],
    ['explain', () => ['explain', 'blue', 'worker-a', ...workerA]],
    ['flows', () => ['flows', 'worker-a', ...workerA]],
    ['trace', () => ['trace', 'blue', 'worker-a', 'icmp 10.20.1.5 > 198.51.100.10', ...workerA]],
    ['validate', () => ['validate', invalid()]],
  ] as const) {
    it(`prints the same document as --output json: ${name}`, async () => {
      const arguments_ = words();
      const [yaml, json] = [
        await ovnUplinks([...arguments_, '-o', 'yaml']),
        await ovnUplinks([...arguments_, '--output', 'json']),
      ];
      expect(yaml.stdout).not.to.match(/^\s*[{[]/);
      expect(load(yaml.stdout)).to.deep.equal(JSON.parse(json.stdout));
      expect([yaml.stderr, yaml.exitCode]).to.deep.equal([json.stderr, json.exitCode]);
    });
  }
});
