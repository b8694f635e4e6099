import Type from 'typebox';
import { jsonAnnotation } from '../../api/json-annotation.ts';
import { partOf, type Shape } from '../../api/schema.ts';

/** The part of the configuration in a NetworkAttachmentDefinition that is read, of whatever plugin (OKEP-5193, NetworkAttachmentDefinition Rendering). */
const configSchema = partOf({ type: Type.Optional(Type.String()), role: Type.Optional(Type.String()) });

export type AttachmentConfig = Shape<typeof configSchema>;

const read = jsonAnnotation(configSchema);

/** Reads the configuration in a NetworkAttachmentDefinition; undefined if it is absent or unreadable. */
export function attachmentConfig(text: string | undefined): AttachmentConfig | undefined {
  const config = read(text);
  return config.kind === 'read' ? config.value : undefined;
}
