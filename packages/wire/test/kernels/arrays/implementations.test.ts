import { describe, expect, test } from "@jest/globals";
import { createWasmArrayKernels } from "../../../src/kernels/arrays/wasm/wasm-array-kernels.js";
import { ArrayStatus, typescriptArrayKernels } from "../../../src/kernels/index.js";
import { Draw } from "../wasm/draw.js";
import { arrayChecks } from "./array-checks.js";

/** `pnpm check` draws more cases. */
const numCases = Number(process.env["TFXIO_FUZZ_ARRAYS"] ?? 5);

describe.each([typescriptArrayKernels, createWasmArrayKernels()])(
  "the implementation of the array kernels in $name",
  (kernels) => {
    test.each(arrayChecks)(`returns $about as specified, for ${numCases} random cases`, ({ difference }) => {
      const draw = new Draw(1);
      for (let i = 0; i < numCases; i++) expect(difference(kernels, draw)).toBeNull();
    });

    // 512 copies of each value, so that WebAssembly is used. The expected bytes are derived by hand.
    test.each([
      [0n, "00"],
      [127n, "7f"],
      [128n, "8001"],
      [150n, "9601"],
      [2n ** 56n - 1n, "ffffffffffffff7f"],
      [2n ** 56n, "808080808080808001"],
      [2n ** 63n - 1n, "ffffffffffffffff7f"],
      [-1n, "ffffffffffffffffff01"],
      [-(2n ** 63n), "80808080808080808001"],
    ] as const)("encodes %d as its protobuf varint", (value, hex) => {
      const target = new Uint8Array(5120);
      const values = new BigInt64Array(512).fill(value);
      const status = kernels.encodeVarints(values, Int32Array.of(0, 512), target, new Int32Array(2));
      expect(status).toBe(ArrayStatus.ok);
      expect(Buffer.from(target.subarray(0, hex.length * 256)).toString("hex")).toBe(hex.repeat(512));
    });
  },
);
