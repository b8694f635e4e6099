import type { ObjectWarning } from '../../domain/api/object-warning.ts';

/** Has people see warnings with the objects that they are about. */
export interface ObjectWarnings {
  /** Takes a warning that has not been there before. Returns at once, and never throws; best effort. */
  warn(warning: ObjectWarning): void;
}
