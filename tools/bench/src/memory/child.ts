// node child.js [FILE SET owned|leased]: the child of `bench memory`. Streams FILE to record batches, and prints its peak
// memory in bytes. Without arguments, it reads nothing, which measures Node itself.
import { readFileSync } from "node:fs";

const [file, setName, kind] = process.argv.slice(2);
let numRows = 0;
let largestBatchBytes = 0;
if (file !== undefined) {
  const { streamBatches } = await import("./stream-batches.js");
  ({ numRows, largestBatchBytes } = await streamBatches(file, setName ?? "", kind === "leased"));
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
