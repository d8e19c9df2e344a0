import { expect, test } from "@jest/globals";
import { createWasmCsvKernel } from "../../src/kernels/wasm/wasm-kernel.js";
import { firstDifference } from "./first-difference.js";

const NUM_TEXTS = Math.ceil(Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 25_000) / 20);

test(`the WebAssembly and TypeScript kernels parse ${NUM_TEXTS} random texts identically`, () => {
  expect(firstDifference(createWasmCsvKernel(), NUM_TEXTS)).toBeNull();
}, 600_000);
