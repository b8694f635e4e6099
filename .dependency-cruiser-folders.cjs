/**
 * No two folders need each other, not even for types: a newcomer can read them in an order. What a folder exports to others (index.ts) is left
 * out, as it names everything.
 */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [{ name: 'no-folder-cycles', severity: 'error', scope: 'folder', from: {}, to: { circular: true } }],
  options: { ...options, exclude: { path: '(^|/)index\\.ts$' } },
};
