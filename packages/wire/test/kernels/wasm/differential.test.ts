import { expect, test } from "@jest/globals";
import { InstancePool } from "../../../src/kernels/wasm/instance-pool.js";
import { createWasmKernels, wasmKernelsOf } from "../../../src/kernels/wasm/wasm-kernels.js";
import { compileKernels } from "../../../src/kernels/wasm/web-assembly.js";
import { type Comparison, compareDecoders } from "./compare-decoders.js";
import { Draw } from "./draw.js";

/** `pnpm check` draws more records. `TFXIO_FUZZ_RECORDS=1000000 pnpm jest …` is a long run. */
const NUM_RECORDS = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 7_500);

/** A long run can take hours on slow machines, so it reports progress. */
const TIMEOUT = 8 * 3_600_000;
const LONG_RUN = 200_000;

function progressOf(about: string): ((compared: number) => void) | undefined {
  if (NUM_RECORDS < LONG_RUN) return undefined;
  return (compared) => process.stderr.write(`${about}: ${compared} of ${NUM_RECORDS / 2} records\n`);
}

/**
 * Expects enough pushes with each of the listed statuses, and enough skipped records. Short runs may lack some, so they are
 * exempt.
 */
function expectEnough({ numRecords, tallies }: Comparison): void {
  if (numRecords < 3_000) return;
  for (const { statuses, numSkipped, ...tally } of Object.values(tallies)) {
    expect(tally.numRecords).toBeGreaterThan(numRecords / 3);
    for (const status of [0, 1, 2, 3, 4, 5, 6, 9])
      expect(statuses.get(status)).toBeGreaterThan(numRecords / 40_000);
    expect(numSkipped).toBeGreaterThan(numRecords / 200);
  }
}

test(
  `the TypeScript and WebAssembly kernels return the same buffers or errors for ${NUM_RECORDS / 2} hostile records`,
  () => {
    const comparison = compareDecoders(
      createWasmKernels(),
      new Draw(98),
      NUM_RECORDS / 2,
      progressOf("whole"),
    );
    expect(comparison.difference).toBeNull();
    expectEnough(comparison);
  },
  TIMEOUT,
);

test(
  "the TypeScript and WebAssembly kernels agree on records that span input windows",
  () => {
    const kernels = wasmKernelsOf(new InstancePool(compileKernels(), 96));
    const comparison = compareDecoders(kernels, new Draw(98), NUM_RECORDS / 2, progressOf("in pieces"));
    expect(comparison.difference).toBeNull();
    expectEnough(comparison);
  },
  TIMEOUT,
);
