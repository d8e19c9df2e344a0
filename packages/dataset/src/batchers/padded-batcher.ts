import { BytesColumn, type HostDense } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { createNumericArray, isBytesColumn, type NumericArray } from "../columns/host-array.js";
import { type BatchContext, type Batcher, hostLeaves, placeOf, wrongKind, wrongLeaf } from "./batcher.js";
import { type ElementShape, emptyDense, fixedSize } from "./element-shape.js";
import { type PaddingValue, paddingOf } from "./padding-value.js";

/** Padding settings of one component. */
export interface PaddedSettings {
  /** Padded shape of one element. Default: a shape of the same rank as the elements, without fixed sizes. */
  readonly shape: ElementShape | undefined;
  /** Padding value. Default: 0, false or the empty string. */
  readonly value: PaddingValue | undefined;
  /** Size of every dimension for which `shape` has no fixed size. Default: the largest size in the batch. */
  readonly openSize?: number | undefined;
}

/**
 * Creates a batcher that pads dense elements of equal rank to one shape, at the end of each dimension. Copies the values. Empty
 * batches are float32.
 */
export function paddedBatcher(settings: PaddedSettings): Batcher {
  return {
    batch: (leaves, context) => paddedBatch(denseLeaves(leaves, context), settings, context),
    empty: () =>
      emptyDense(
        "float32",
        (settings.shape ?? []).map((size) => Math.max(0, size ?? 0)),
      ),
  };
}

function denseLeaves(leaves: readonly unknown[], context: BatchContext): readonly HostDense[] {
  return hostLeaves(leaves, context).map((host, index) => {
    if (host.kind === "dense") return host;
    const expected = `dense. For ${host.kind} values, use ${host.kind === "sparse" ? "sparseBatch" : "raggedBatch"}`;
    throw wrongKind(context, index, host.kind, expected);
  });
}

function paddedBatch(
  rows: readonly HostDense[],
  { shape, value, openSize }: PaddedSettings,
  context: BatchContext,
): HostDense {
  const rank = shape?.length ?? (rows[0] as HostDense).shape.length;
  const limits = Array.from({ length: rank }, (_, dimension) => fixedSize(shape, dimension) ?? openSize);
  const target = limits.map((limit) => limit ?? 0);
  rows.forEach(({ shape: found }, index) => {
    if (found.length !== rank) {
      throw wrongLeaf(context, index, `of rank ${found.length}`, `of rank ${rank}`);
    }
    for (let dimension = 0; dimension < rank; dimension++) {
      const size = found[dimension] as number;
      const limit = limits[dimension];
      if (limit === undefined) target[dimension] = Math.max(target[dimension] as number, size);
      else if (size > limit) throw tooLong(context, index, { dimension, size, limit });
    }
  });
  const { dtype } = rows[0] as HostDense;
  const padding = paddingOf(value, dtype, `${context.operator}: the padding value`, "values");
  const rowSize = target.reduce((product, size) => product * size, 1);
  const values =
    dtype === "string"
      ? paddedBytes(rows, target, rowSize, padding as Uint8Array)
      : paddedNumbers(rows, target, createNumericArray(dtype, rows.length * rowSize).fill(padding as never));
  return { kind: "dense", dtype, shape: [rows.length, ...target], values, borrowed: false };
}

function paddedNumbers(
  rows: readonly HostDense[],
  target: readonly number[],
  out: NumericArray,
): NumericArray {
  const rowSize = out.length / rows.length;
  rows.forEach(({ shape, values }, row) => {
    eachRun(shape, target, (from, to, length) => {
      (out as Float32Array).set((values as Float32Array).subarray(from, from + length), row * rowSize + to);
    });
  });
  return out;
}

function paddedBytes(
  rows: readonly HostDense[],
  target: readonly number[],
  rowSize: number,
  padding: Uint8Array,
): BytesColumn {
  const out = Array.from({ length: rows.length * rowSize }, () => padding);
  rows.forEach(({ shape, values }, row) => {
    if (!isBytesColumn(values)) return;
    eachRun(shape, target, (from, to, length) => {
      for (let index = 0; index < length; index++) out[row * rowSize + to + index] = values.get(from + index);
    });
  });
  return BytesColumn.from(out);
}

/**
 * Calls `copy` for every run of values along the last dimension. `from` is the start of the run in the element, and `to` its
 * start in the padded element. A scalar is one run of length 1.
 */
function eachRun(
  shape: readonly number[],
  target: readonly number[],
  copy: (from: number, to: number, length: number) => void,
): void {
  const last = shape.length - 1;
  if (last < 0) {
    copy(0, 0, 1);
    return;
  }
  const visit = (dimension: number, from: number, to: number): void => {
    const size = shape[dimension] as number;
    if (dimension === last) {
      if (size > 0) copy(from * size, to * (target[last] as number), size);
      return;
    }
    for (let index = 0; index < size; index++) {
      visit(dimension + 1, from * size + index, to * (target[dimension] as number) + index);
    }
  };
  visit(0, 0, 0);
}

function tooLong(
  context: BatchContext,
  index: number,
  { dimension, size, limit }: { readonly dimension: number; readonly size: number; readonly limit: number },
): ConversionError {
  return new ConversionError(
    "shape-mismatch",
    `${placeOf(context, index)} must have size ${limit} or less in dimension ${dimension}, found ${size}.`,
    { reason: "data-loss", tensorName: context.path },
  );
}
