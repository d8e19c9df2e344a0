import type { BatchSink, Run } from "./subject.js";

/** Times one pass on this thread and counts its rows. The pass must call `count` with every batch. */
export async function timed(pass: (count: BatchSink) => Promise<void>): Promise<Run> {
  let numRows = 0;
  const faults = process.resourceUsage().minorPageFault;
  const start = performance.now();
  await pass((batch) => {
    numRows += batch.numRows;
  });
  const seconds = (performance.now() - start) / 1000;
  return { seconds, numRows, minorFaults: process.resourceUsage().minorPageFault - faults };
}
