import { expect, test } from "@jest/globals";
import { FeatureKind, KernelStatus, type Kernels, typescriptKernels } from "../../../src/kernels/index.js";
import { createWasmKernels } from "../../../src/kernels/wasm/wasm-kernels.js";
import { Draw } from "./draw.js";
import { block } from "./hostile-input.js";
import { field, writeFields } from "./wire-tree.js";

// Numbers of records before the last record. With most of these numbers, but not all, the last record takes the fast path.
const COUNTS = Array.from({ length: 40 }, (_, i) => i + 10);
const utf8 = new TextEncoder();
const names = ["first_name", "second_name", "third_name"];

/**
 * Returns a record with one entry per name. Each entry holds a single byte string. `lie` is added to the length of `features`.
 */
function record(entryNames: readonly string[], lie = 0): Uint8Array {
  const entries = entryNames.map((name, i) =>
    field(1, [field(1, [...utf8.encode(name)]), field(2, [field(1, [field(1, [1, 2, 3, i])])])]),
  );
  return writeFields([{ ...field(1, entries), lengthLie: lie }]);
}

/** Returns the outcome of pushing `last` after `numAlike` similar records. */
function pushed(kernels: Kernels, numAlike: number, last: Uint8Array): object {
  const columns = names.map((name) => ({ name, kind: FeatureKind.bytes }));
  const decoder = kernels.exampleDecoder({ columns });
  const records = [...Array.from({ length: numAlike }, () => record(names)), last];
  const { bytes, starts, ends } = block(new Draw(3), records);
  const limits = { maxRows: Infinity, maxBytes: Infinity };
  const { status, numRecords, errorOffset } = decoder.pushRecords(
    bytes,
    starts,
    ends,
    0,
    ends.length,
    limits,
  );
  return { status, numRecords, errorOffset, batch: decoder.finish() };
}

test.each([-1, -4, -5, -20, -24])(
  "after similar Examples, both kernels report a wrong length of `features` at the same byte (length off by %d)",
  (lie) => {
    const last = record(names, lie);
    for (const numAlike of COUNTS) {
      const expected = pushed(typescriptKernels, numAlike, last);
      expect(expected).toMatchObject({ status: KernelStatus.malformedPayload, numRecords: numAlike });
      expect(pushed(createWasmKernels(), numAlike, last)).toEqual(expected);
    }
  },
);

test.each(names)(
  "after similar Examples, both kernels return the same batch for an Example with two entries named %s",
  (name) => {
    const last = record([...names, name]);
    for (const numAlike of COUNTS) {
      const expected = pushed(typescriptKernels, numAlike, last);
      expect(expected).toMatchObject({ status: KernelStatus.ok, batch: { numRows: numAlike + 1 } });
      expect(pushed(createWasmKernels(), numAlike, last)).toEqual(expected);
    }
  },
);
