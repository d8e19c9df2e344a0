import { expect, test } from "@jest/globals";
import { compileAssembly } from "../../../assembly/build.mjs";
import { wasmKernelsOf } from "../../../src/kernels/wasm/wasm-kernels.js";
import { CANARIES, CheckedPool } from "./checked-pool.js";
import { compareTwins } from "./compare-twins.js";
import { Draw } from "./draw.js";

const NUM_RECORDS = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 30_000) / 10;

test(`${NUM_RECORDS} hostile records make the kernels write nowhere but in the blocks that they have laid`, () => {
  const pool = new CheckedPool(compileAssembly({ options: CANARIES }), 512);
  expect(compareTwins(wasmKernelsOf(pool), new Draw(3), NUM_RECORDS).difference).toBeNull();
  expect(pool.numBatches).toBeGreaterThan(NUM_RECORDS / 100);
  expect(pool.numDamaged).toBe(0);
}, 600_000);
