// node child.js [REQUEST]: the child of `bench memory`. REQUEST is a StreamRequest in JSON, which names a file. The child streams
// the file to record batches. Then it prints the number of rows, the peak memory of this process in bytes, and the size of the
// largest batch in bytes. Without REQUEST, it reads nothing, which shows the memory of Node itself.
import { readFileSync } from "node:fs";

const [request] = process.argv.slice(2);
let numRows = 0;
let largestBatchBytes = 0;
if (request !== undefined) {
  const { streamBatches } = await import("./stream-batches.js");
  ({ numRows, largestBatchBytes } = await streamBatches(JSON.parse(request)));
}
process.stdout.write(JSON.stringify({ peakBytes: peakBytes(), numRows, largestBatchBytes }));

/** Returns the peak resident memory of this process in bytes. */
function peakBytes(): number {
  // On Linux, a child process inherits the `maxRSS` of its parent. VmHWM is the peak of this process only.
  if (process.platform === "linux") {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    return Number(kilobytes) * 1024;
  }
  return process.resourceUsage().maxRSS * 1024;
}
