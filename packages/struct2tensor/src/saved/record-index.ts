import type { HostColumn, HostRagged, HostSparse, TypeSpec } from "@tfxio/tensor-adapter";
import { ArgumentError, ConversionError } from "@tfxio/wire";

/**
 * Asserts that the view has the output `name`, and that it is a ragged or sparse integer tensor of rank 2.
 * @throws {ArgumentError} `invalid-argument`: `record-index-missing`, `record-index-type`.
 */
export function assertRecordIndex(
  outputs: readonly { readonly name: string; readonly spec: TypeSpec }[],
  name: string,
): void {
  const output = outputs.find((other) => other.name === name);
  if (output === undefined) throw unusable("record-index-missing", `The view has no output "${name}".`);
  const { spec } = output;
  const isIntegral = /^u?int/u.test(spec.dtype);
  const hasRows = spec.kind !== "tensor" && spec.shape?.length === 2;
  if (isIntegral && hasRows) return;
  throw unusable(
    "record-index-type",
    `The record index "${name}" must be a ragged or sparse integer tensor of rank 2, found ${spec}.`,
  );
}

/**
 * Returns the record index of each row, from a tensor with exactly one value per row.
 * @throws {ConversionError} `not-convertible` (`record-index-value`), naming the row.
 */
export function recordIndicesOf(tensor: HostColumn, name: string, numRecords: number): Int32Array {
  if (tensor.kind === "dense") throw new Error("a record index is not dense");
  const numRows = tensor.kind === "ragged" ? tensor.nestedRowSplits[0]!.length - 1 : tensor.denseShape[0]!;
  const values = tensor.values as unknown as ArrayLike<number | bigint>;
  const indices = new Int32Array(numRows);
  for (let row = 0; row < numRows; row++) {
    if (!hasOneValue(tensor, row)) throw unusableValue(name, row, "must have exactly one value");
    const index = Number(values[row]);
    if (index < 0 || index >= numRecords) {
      throw unusableValue(
        name,
        row,
        `must be the index of a decoded record (0 or more, below ${numRecords}), found ${index}`,
      );
    }
    indices[row] = index;
  }
  return indices;
}

/** Returns true if a row has exactly one value. Assumes that all earlier rows do. */
function hasOneValue(tensor: HostRagged | HostSparse, row: number): boolean {
  if (tensor.kind === "ragged") {
    const [splits] = tensor.nestedRowSplits as readonly [Int32Array];
    const [begin, end] = [splits[row]!, splits[row + 1]!];
    return end - begin === 1;
  }
  const { indices } = tensor;
  return indices[row * 2] === row && indices[row * 2 + 1] === 0 && indices[row * 2 + 2] !== row;
}

function unusable(reason: string, message: string): ArgumentError {
  return new ArgumentError("invalid-argument", message, { reason, argument: "recordIndex" });
}

/** @param problem follows the row in the message. */
function unusableValue(name: string, row: number, problem: string): ConversionError {
  return new ConversionError("not-convertible", `The record index "${name}", row ${row}, ${problem}.`, {
    reason: "record-index-value",
    tensorName: name,
    row,
  });
}
