import type { BuildOptions } from 'esbuild';

/** How programs of the checkout are bundled into one file each. */
export const BUNDLER_OPTIONS = {
  bundle: true,
  platform: 'node',
  // The bundler does not find the parts of the UMD form of jsonc-parser.
  mainFields: ['module', 'main'],
  format: 'esm',
  target: 'node24',
  // Packages that are not ES modules need `require`.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  logLevel: 'error',
} satisfies BuildOptions;
