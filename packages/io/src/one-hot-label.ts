import { type HostColumn, type HostColumns, type HostDense, MAX_ELEMENTS } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";

/**
 * Replaces the label with one-hot rows: float32 `[numRows, numClasses]`, 1 at the class and 0 elsewhere. The other columns are
 * returned as they are, without a copy.
 * @throws {ConversionError} `out-of-range` (`label-class`) for a label that is not an integer from 0 to `numClasses - 1`; the
 *   error names the row. `out-of-range` (`batch-too-large`) for 2^31 elements or more. `shape-mismatch` (`label-shape`) unless
 *   each row has one value.
 */
export function withOneHotLabel(columns: HostColumns, labelKey: string, numClasses: number): HostColumns {
  return { ...columns, [labelKey]: oneHot(columns[labelKey] as HostDense, labelKey, numClasses) };
}

function oneHot({ values, shape }: HostDense, tensorName: string, numClasses: number): HostColumn {
  const [numRows = 0, ...rowShape] = shape;
  if (rowShape.some((size) => size !== 1)) {
    throw new ConversionError(
      "shape-mismatch",
      `Tensor "${tensorName}" has rows of shape [${rowShape.join(", ")}], but oneHot requires one label per row.`,
      { reason: "label-shape", tensorName },
    );
  }
  if (numRows * numClasses > MAX_ELEMENTS) {
    throw new ConversionError(
      "out-of-range",
      `One-hot labels for ${numRows} rows and ${numClasses} classes are too large for a tensor.`,
      { reason: "batch-too-large", tensorName },
    );
  }
  const labels = values as ArrayLike<number | bigint>;
  const rows = new Float32Array(numRows * numClasses);
  for (let row = 0; row < numRows; row++) {
    const label = Number(labels[row]);
    if (!Number.isInteger(label) || label < 0 || label >= numClasses) {
      throw new ConversionError(
        "out-of-range",
        `Tensor "${tensorName}", row ${row}: expected an integer of at least 0 and below ${numClasses}, found ${labels[row]}.`,
        { reason: "label-class", tensorName, row },
      );
    }
    rows[row * numClasses + label] = 1;
  }
  return { kind: "dense", dtype: "float32", shape: [numRows, numClasses], values: rows, borrowed: false };
}
