/** Prints the numbers of jest's tests as a plain last line. A suite that cannot run adds one failure. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    process.on("exit", () => {
      console.log(`${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
    });
  }
}
