/** Prints jest's own count as the last plain line; a suite that could not run counts as one failure. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    process.on("exit", () => {
      console.log(`${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
    });
  }
}
