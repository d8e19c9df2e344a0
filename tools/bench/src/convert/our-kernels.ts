import { type ArrayKernels, arrayKernels, ArrayStatus, typescriptArrayKernels } from "@tfxio/wire/kernels";
import { BenchError } from "../measurement.js";
import type { Conversion, ConversionInput } from "./conversion.js";
import { type ConvertSubject, digestOf } from "./convert-subject.js";

/** Runs the default array kernels directly. Like `memcpy`, they write into reused memory. Goal G9 refers to this subject. */
export const ourKernels: ConvertSubject = intoMemory("ours:into", arrayKernels);
/** Runs the array kernels of the TypeScript implementation directly. */
export const ourTypescriptKernels: ConvertSubject = intoMemory(
  "ours:into-typescript",
  () => typescriptArrayKernels,
);

function intoMemory(name: string, kernels: () => ArrayKernels): ConvertSubject {
  return {
    name,
    does: ({ isZeroCopy }) => !isZeroCopy,
    prepare: async (conversion, input) => {
      const { arrays, convert } = kernelCall(kernels(), conversion, input);
      const assertOk = (status: ArrayStatus): void => {
        if (status !== ArrayStatus.ok)
          throw new BenchError(`convert ${conversion.name}: ${name} failed with status ${status}`);
      };
      return {
        run: async (repeats) => {
          const start = performance.now();
          for (let i = 0; i < repeats; i++) assertOk(convert());
          return (performance.now() - start) / 1000;
        },
        digest: async () => {
          assertOk(convert());
          return digestOf(arrays());
        },
      };
    },
  };
}

/** A conversion as one function call, and the arrays that hold its result. All calls use the same arrays. */
interface KernelCall {
  readonly convert: () => ArrayStatus;
  readonly arrays: () => readonly ArrayBufferView[];
}

function kernelCall(kernels: ArrayKernels, conversion: Conversion, input: ConversionInput): KernelCall {
  const { rowSplits, values } = input;
  switch (conversion.kind) {
    case "sparse": {
      const indices = new Int32Array(2 * values.length);
      return { convert: () => kernels.cooIndices(rowSplits, indices), arrays: () => [indices, values] };
    }
    case "pad":
      return padCall(kernels, conversion, input);
    case "take":
      return takeCall(kernels, input);
    default: {
      const bytes = new Uint8Array(10 * values.length);
      const byteSplits = new Int32Array(rowSplits.length);
      return {
        convert: () => kernels.encodeVarints(values as BigInt64Array, rowSplits, bytes, byteSplits),
        arrays: () => [byteSplits, bytes.subarray(0, byteSplits.at(-1))],
      };
    }
  }
}

function padCall(
  kernels: ArrayKernels,
  { rowSize, fill }: Conversion,
  { rowSplits, values }: ConversionInput,
): KernelCall {
  const length = (rowSplits.length - 1) * rowSize;
  if (values[Symbol.toStringTag] === "Float32Array") {
    const floats = values as Float32Array;
    const target = new Float32Array(length);
    return {
      convert: () => kernels.padRows(floats, rowSplits, rowSize, fill, target),
      arrays: () => [target],
    };
  }
  const integers = values as BigInt64Array;
  const target = new BigInt64Array(length);
  const filler = BigInt(fill);
  return {
    convert: () => kernels.padRows(integers, rowSplits, rowSize, filler, target),
    arrays: () => [target],
  };
}

/** Returns a call that gathers the values of the chosen rows. It also computes the new row splits, as `takeRows` must. */
function takeCall(kernels: ArrayKernels, { rowSplits, values, rows }: ConversionInput): KernelCall {
  const starts = new Uint32Array(rows.length);
  const ends = new Uint32Array(rows.length);
  const splits = new Int32Array(rows.length + 1);
  const lookUp = (): void => {
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const start = rowSplits[row] as number;
      const end = rowSplits[row + 1] as number;
      starts[i] = start;
      ends[i] = end;
      splits[i + 1] = (splits[i] as number) + end - start;
    }
  };
  lookUp();
  const target = new BigInt64Array(splits.at(-1) ?? 0);
  return {
    convert: () => {
      lookUp();
      return kernels.gatherRanges(values as BigInt64Array, 1, starts, ends, target);
    },
    arrays: () => [splits, target],
  };
}
