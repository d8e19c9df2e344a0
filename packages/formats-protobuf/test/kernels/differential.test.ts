import { expect, test } from "@jest/globals";
import { compileWasm } from "@tfxio/wire/kernels";
import { messageWasmBase64 } from "../../src/kernels/wasm/message-wasm.js";
import { firstDifference } from "./first-difference.js";

const NUM_CASES = Math.ceil(Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 25_000) / 20);

test(`the WebAssembly and TypeScript kernels decode ${NUM_CASES} random cases identically`, async () => {
  const { difference, statuses } = await firstDifference(compileWasm(messageWasmBase64), NUM_CASES);
  expect(difference).toBeNull();
  // Every status has occurred.
  expect([...statuses].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((status) => `"status":${status}`));
}, 600_000);
