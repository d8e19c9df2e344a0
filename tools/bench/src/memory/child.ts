// node child.js [REQUEST]: the child of `bench memory`. Streams a file to record batches, as a StreamRequest in JSON describes,
// and prints its peak memory in bytes. Without arguments, it reads nothing, which measures Node itself.
import { readFileSync } from "node:fs";

const [request] = process.argv.slice(2);
let numRows = 0;
let largestBatchBytes = 0;
if (request !== undefined) {
  const { streamBatches } = await import("./stream-batches.js");
  ({ numRows, largestBatchBytes } = await streamBatches(JSON.parse(request)));
}
process.stdout.write(JSON.stringify({ peakBytes: peakBytes(), numRows, largestBatchBytes }));

/** Peak resident memory of this process. */
function peakBytes(): number {
  // On Linux, child processes inherit their parent's `maxRSS`. VmHWM counts this process only.
  if (process.platform === "linux") {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    return Number(kilobytes) * 1024;
  }
  return process.resourceUsage().maxRSS * 1024;
}
