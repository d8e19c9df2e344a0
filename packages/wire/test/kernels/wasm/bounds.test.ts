import { beforeAll, expect, test } from "@jest/globals";
import path from "node:path";
import { wasmKernelsOf } from "../../../src/kernels/wasm/wasm-kernels.js";
import { CANARIES, CheckedPool } from "./checked-pool.js";
import { compileAssembly } from "../compile-assembly.js";
import { FeatureKind } from "../../../src/kernels/index.js";
import { compareDecoders } from "./compare-decoders.js";
import { Draw } from "./draw.js";
import { block } from "./hostile-input.js";
import { field, writeFields } from "./wire-tree.js";

let wasm: Uint8Array;
beforeAll(() => {
  wasm = compileAssembly(path.join(import.meta.dirname, "../../../assembly"), CANARIES);
}, 60_000);

const NUM_RECORDS = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 7_500) / 10;

test(`${NUM_RECORDS} hostile records never make the kernels write outside their allocated blocks`, () => {
  const pool = new CheckedPool(wasm, 512);
  expect(compareDecoders(wasmKernelsOf(pool), new Draw(3), NUM_RECORDS).difference).toBeNull();
  expect(pool.numBatches).toBeGreaterThan(NUM_RECORDS / 100);
  expect(pool.numDamaged).toBe(0);
}, 600_000);

test("a block stays separate from its neighbours after it has grown during a skipped record", () => {
  const pool = new CheckedPool(wasm, 512);
  const entry = (name: string, count: number) =>
    field(1, [
      field(1, [...new TextEncoder().encode(name)]),
      field(2, [
        field(3, [
          field(
            1,
            Array.from({ length: count }, () => 1),
          ),
        ]),
      ]),
    ]);
  const left = writeFields([field(1, [entry("a", 8)])]);
  const { bytes, starts, ends } = block(new Draw(1), [
    writeFields([field(1, [entry("a", 8)])]),
    new Uint8Array([...left, 0xff]),
    writeFields([field(1, [entry("b", 8)])]),
  ]);
  const decoder = wasmKernelsOf(pool).exampleDecoder({ only: ["a", "b"], onMalformed: "skip" });
  decoder.pushRecords(bytes, starts, ends, 0, 3, { maxRows: Infinity, maxBytes: Infinity });
  const { numRows, numSkipped, columns } = decoder.finish();
  expect({ numRows, numSkipped, kinds: columns.map(({ kind }) => kind) }).toEqual({
    numRows: 2,
    numSkipped: 1,
    kinds: [FeatureKind.int64, FeatureKind.int64],
  });
  expect(pool.numDamaged).toBe(0);
});
