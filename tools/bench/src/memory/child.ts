// node child.js [FILE SET owned|leased]: the child of `bench memory`. Streams FILE to record batches, and prints the peak memory
// of this process in bytes. Without arguments it reads nothing, which shows the memory of Node itself.
import { readFileSync } from "node:fs";

const [file, setName, kind] = process.argv.slice(2);
let numRows = 0;
let largestBatchBytes = 0;
if (file !== undefined) {
  const { streamBatches } = await import("./stream-batches.js");
  ({ numRows, largestBatchBytes } = await streamBatches(file, setName ?? "", kind === "leased"));
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
