/** Writes config/crd from the schemas of objects. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { yamlDocument } from '../src/cmd/commands/crds.ts';
import { customResourceDefinitions } from '../src/domain/api/definitions/custom-resource-definition.ts';

const folder = new URL('../config/crd/', import.meta.url);
const definitions = customResourceDefinitions().map((definition) => ({
  file: `${definition.metadata.name}.yaml`,
  definition,
}));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const { file, definition } of definitions) writeFileSync(new URL(file, folder), yamlDocument(definition));
writeFileSync(
  new URL('kustomization.yaml', folder),
  yamlDocument({
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: definitions.map(({ file }) => file),
  }),
);
