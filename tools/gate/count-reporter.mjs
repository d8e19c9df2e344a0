/** Prints the numbers of passed, failed and skipped tests as the last line. A suite that cannot run counts as one failure. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    process.on("exit", () => {
      console.log(`${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
    });
  }
}
