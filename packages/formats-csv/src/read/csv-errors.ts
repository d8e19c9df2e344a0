import { ConversionError, RecordError, SchemaError, type TfxioError } from "@tfxio/wire";
import { describeValue } from "@tfxio/wire/checks";
import { CsvStatus } from "../kernels/csv-kernel.js";
import type { CsvColumn } from "./columns.js";

/** Position of a record. */
export interface CsvPlace {
  readonly uri: string;
  /** Offset in the uncompressed bytes of the file. */
  readonly byteOffset: number;
  /**
   * Index among the records after the header. Absent if unknown, as in a part of a file that was divided without counting
   * records.
   */
  readonly recordIndex?: number | undefined;
}

/** Formats a position for error messages, such as `data.csv, record 3 at byte 120`. */
function placeText({ uri, byteOffset, recordIndex }: CsvPlace): string {
  return `${uri}, ${recordIndex === undefined ? "the record" : `record ${recordIndex}`} at byte ${byteOffset}`;
}

/** Facts about a failed push, for the error message. */
export interface FailedPush {
  readonly numCells: number;
  readonly expectedCells: number;
  readonly maxRecordBytes: number;
}

/** Returns the error for a status other than `ok`. */
export function statusError(status: CsvStatus, found: FailedPush, place: CsvPlace): TfxioError {
  const where = placeText(place);
  switch (status) {
    case CsvStatus.cellCount: {
      const cells = found.numCells === 1 ? "1 cell" : `${found.numCells} cells`;
      return new RecordError(
        "malformed-payload",
        `${where}: the row has ${cells}, expected ${found.expectedCells}.`,
        {
          reason: "column-count",
          ...place,
        },
      );
    }
    case CsvStatus.lineBreak:
      return new RecordError(
        "malformed-payload",
        `${where}: a cell holds a line break; set multiline to true to read such cells.`,
        { reason: "quoted-line-break", ...place },
      );
    case CsvStatus.unclosed:
      return new RecordError(
        "truncated-record",
        `${where}: the data ends inside a quoted cell or right after an escape.`,
        {
          reason: "unclosed-quote",
          ...place,
        },
      );
    case CsvStatus.recordTooLong:
      return new RecordError(
        "limit-exceeded",
        `${where}: the record is longer than ${found.maxRecordBytes} bytes (maxRecordBytes).`,
        { reason: "record-length", ...place },
      );
    default:
      return new RecordError(
        "limit-exceeded",
        `${where}: a column needs more than 2^31 - 1 bytes, or memory ran out; read smaller batches.`,
        { reason: "batch-too-large", ...place },
      );
  }
}

const wanted = {
  int: "an integer in the range of int64",
  float: "a number",
  bytes: "values whose quotes are closed and whose line breaks are quoted",
  null: "null",
} as const;
const latin1 = new TextDecoder("latin1");

/** Returns the error for a cell that does not fit its column's type. @param row Index of the row in its batch. */
export function cellError(bytes: Uint8Array, column: CsvColumn, row: number, place: CsvPlace): TfxioError {
  const { name } = column;
  const cell = describeValue(latin1.decode(bytes.subarray(0, 64)));
  const where = `${placeText(place)}, column "${name}"`;
  if (column.isUnlisted) {
    return new SchemaError(
      "schema-mismatch",
      `${where}: found ${cell} in a column that the schema does not list.`,
      {
        reason: "unlisted-feature",
        columnPath: name,
        ...place,
      },
    );
  }
  const advice = column.isInferred
    ? '; the type was inferred: set it in the option `types`, or set infer to "full"'
    : "";
  return new ConversionError(
    "not-convertible",
    `${where}: found ${cell}, expected ${wanted[column.type]}${advice}.`,
    { reason: "cell-value", columnPath: name, row, ...place },
  );
}
