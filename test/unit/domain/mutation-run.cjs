/** A run of mutation testing: few cases a law, and the same ones for every mutant, so that none lives or dies by chance. */
process.env.CASES ??= '0.02';

exports.mochaHooks = {
  async beforeAll() {
    const { configureGlobal } = await import('fast-check');
    configureGlobal({ seed: 1 });
  },
};
