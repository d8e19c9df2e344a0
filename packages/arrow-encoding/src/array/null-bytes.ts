import { assertArgument } from "@tfxio/wire/checks";
import { type Data, DataType, makeData, Uint8 } from "apache-arrow";
import { aColumn } from "../argument-rules.js";
import { isValid } from "../column/list-column.js";

/**
 * Returns one uint8 per row: 1 for null, otherwise 0. The result has no nulls. A valid row that refers to a null dictionary entry
 * gets 0.
 * @see tfx_bsl.arrow.array_util.GetArrayNullBitmapAsByteArray
 */
export function nullBytes(data: Data): Data<Uint8> {
  assertArgument("data", data, aColumn);
  const bytes = new Uint8Array(data.length);
  if (DataType.isNull(data.type)) bytes.fill(1);
  else if (data.nullCount > 0) {
    for (let row = 0; row < bytes.length; row++) if (!isValid(data, row)) bytes[row] = 1;
  }
  return makeData({ type: new Uint8(), length: data.length, nullCount: 0, data: bytes });
}
