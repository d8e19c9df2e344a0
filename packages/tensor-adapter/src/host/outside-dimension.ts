import { ConversionError } from "@tfxio/wire";

/** An index of a sparse tensor that lies outside its dimension. */
interface OutsideIndex {
  readonly index: number;
  readonly dimension: number;
  /** Size of the dimension. -1 if it is unknown. */
  readonly size: number;
  readonly row: number | undefined;
}

/**
 * Creates the error for an index outside its dimension: `out-of-range` (`sparse-index`).
 * @param place subject of the message, such as `Row 3`.
 */
export function outsideDimension(
  place: string,
  { index, dimension, size, row }: OutsideIndex,
): ConversionError {
  const rule =
    size === -1
      ? ". Indices must be 0 or more"
      : `, whose size is ${size}. Indices must be 0 or more, and less than the size`;
  return new ConversionError(
    "out-of-range",
    `${place} has index ${index} in dimension ${dimension}${rule}.`,
    { reason: "sparse-index", row },
  );
}
