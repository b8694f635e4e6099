const { reporters, Runner } = require('mocha');

/** Mocha's own list of tests, then the names of those that failed, which a long output before them would hide, and a last line that a program can read. */
module.exports = class SpecWithCount extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failed = [];
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test) => failed.push(test.fullTitle()));
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures } = this.stats;
      for (const title of failed) process.stdout.write(`failed: ${title}\n`);
      process.stdout.write(`${passes} passed, ${failures} failed\n`);
    });
  }
};
