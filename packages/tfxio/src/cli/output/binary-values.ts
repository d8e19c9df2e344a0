import { type BytesColumn, columnElements, flatValues, listElements } from "@tfxio/arrow-encoding";
import type { Data, RecordBatch } from "apache-arrow";

/**
 * Returns the binary values of the only column of `batch`. Each row is a list of one value. The values are borrowed from the
 * batch.
 */
export function binaryValues(batch: RecordBatch): readonly Uint8Array[] {
  const [column] = batch.data.children as [Data];
  const { elements } = listElements(columnElements(column));
  return (flatValues(elements).values as BytesColumn).toArray();
}
