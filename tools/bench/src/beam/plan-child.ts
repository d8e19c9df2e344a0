// The child process in which `bench beam` measures planning. It splits 2,000 simulated files into 100,000 units, assigns the
// units to 1,000 workers, and prints the time in ms, the number of units and the peak memory in bytes. With the argument "idle",
// it loads the modules but plans nothing.
import { readFileSync } from "node:fs";
import { planUnits, unitsOfWorker } from "@tfxio/beam/plan";
import { createFormatRegistry, defineFormat, type Split } from "@tfxio/format";
import type { ReadDescription } from "@tfxio/io";

const NUM_FILES = 2000;
/** Size of a unit: 64 MiB. */
const UNIT_BYTES = 64 * 2 ** 20;
const UNITS_PER_FILE = 50;
const NUM_WORKERS = 1000;

/** A format whose simulated files have a size but no content. It splits them into units, and never reads. */
const simulated = defineFormat<object>({
  id: "simulated",
  extensions: [],
  defaults: {},
  contractVersion: 2,
  reads: { subdivide: true },
  open: async (sources) => ({
    plan: async () => ({
      splits: sources.map(({ uri, byteLength }, index) => ({ index, uri, numBytes: byteLength })),
      async *read() {},
      subdivide: async ({ index, uri, numBytes = 0 }: Split) =>
        Array.from({ length: Math.ceil(numBytes / UNIT_BYTES) }, (_, part) => {
          const start = part * UNIT_BYTES;
          const end = Math.min(numBytes, start + UNIT_BYTES);
          return { index, uri, start, end, numBytes: end - start };
        }),
    }),
  }),
});

const description: ReadDescription = {
  version: 1,
  format: { id: "simulated" },
  sources: Array.from({ length: NUM_FILES }, (_, index) => {
    const uri = `/data/part-${String(index).padStart(5, "0")}.data`;
    return { uri, origin: uri, byteLength: UNITS_PER_FILE * UNIT_BYTES, version: "1" };
  }),
  stores: [],
  request: {},
};

const start = performance.now();
let numUnits = 0;
if (process.argv[2] !== "idle") {
  const { units } = await planUnits(description, {
    unitBytes: UNIT_BYTES,
    formats: createFormatRegistry(simulated),
  });
  for (let worker = 0; worker < NUM_WORKERS; worker++) {
    for (const unit of unitsOfWorker(units, { worker, numWorkers: NUM_WORKERS })) {
      JSON.stringify(unit);
      numUnits++;
    }
  }
}
const milliseconds = performance.now() - start;
process.stdout.write(JSON.stringify({ milliseconds, numUnits, peakBytes: peakBytes() }));

/** Returns the peak resident memory of this process in bytes. */
function peakBytes(): number {
  if (process.platform === "linux") {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    return Number(kilobytes) * 1024;
  }
  return process.resourceUsage().maxRSS * 1024;
}
