const { reporters, Runner } = require('mocha');

/** Mocha's own list of tests, and a last line that a program can read. */
module.exports = class SpecWithCount extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures } = this.stats;
      process.stdout.write(`${passes} passed, ${failures} failed\n`);
    });
  }
};
