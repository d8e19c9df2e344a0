import type { PlanRequest } from "@tfxio/format";
import { ArgumentError } from "@tfxio/wire";
import {
  Binary,
  type DataType,
  Field,
  Float32,
  Int64,
  List,
  Null,
  Schema as ArrowSchema,
} from "apache-arrow";
import type { CsvOptions } from "../options.js";
import type { CsvColumn } from "./columns.js";

/** A plan's settings, the same for all files. */
export interface CsvPlan {
  readonly columns: readonly CsvColumn[];
  /** Unrequested columns that are still checked: a bad cell drops its row, whichever columns are read. */
  readonly checked: readonly CsvColumn[];
  /** Names that a file may have in addition to `columns`; undefined: any. */
  readonly otherNames: ReadonlySet<string> | undefined;
  /** Names of the schema's columns, if values in other columns are an error; undefined if other columns are skipped. */
  readonly listed: ReadonlySet<string> | undefined;
  readonly hasSchema: boolean;
  readonly arrowSchema: ArrowSchema;
  readonly rawRecordColumn: string | undefined;
  readonly rowPositionColumn: string | undefined;
  readonly batchSize: number;
  readonly batchBytes: number;
  readonly options: CsvOptions;
  readonly maxRecordBytes: number;
}

const item = <Type extends DataType>(type: Type): List<Type> => new List(new Field("item", type, true));
const TYPES: Readonly<Record<CsvColumn["type"], List<Int64 | Float32 | Binary> | Null>> = {
  int: item(new Int64()),
  float: item(new Float32()),
  bytes: item(new Binary()),
  null: new Null(),
};

/** Type of raw records: lists of bytes. */
export const BYTES_LIST: List<Binary> = item(new Binary());

/** Arrow type of a column: lists of values with 32-bit offsets, as in tfx_bsl's `CsvTFXIO`. */
export function arrowTypeOf(type: CsvColumn["type"]): DataType {
  return TYPES[type];
}

/** Names of the columns that a batch has in addition to those of the file. */
type AddedColumns = Pick<PlanRequest, "rawRecordColumn" | "rowPositionColumn">;

/**
 * Rejects a raw record or position column with the name of another column, even an unread one.
 * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`, `row-column-collision`).
 */
export function assertFreeNames(
  names: readonly string[],
  { rawRecordColumn, rowPositionColumn }: AddedColumns,
): void {
  const refuse = (argument: string, name: string, reason: string): never => {
    const message = `${argument}: a column "${name}" already exists.`;
    throw new ArgumentError("invalid-argument", message, { reason, argument });
  };
  if (rawRecordColumn !== undefined && names.includes(rawRecordColumn)) {
    refuse("rawRecordColumn", rawRecordColumn, "raw-column-collision");
  }
  if (rowPositionColumn !== undefined && [...names, rawRecordColumn].includes(rowPositionColumn)) {
    refuse("rowPositionColumn", rowPositionColumn, "row-column-collision");
  }
}

/** The schema of every batch: the columns, the raw record, the row position. */
export function arrowSchemaOf(
  columns: readonly CsvColumn[],
  { rawRecordColumn, rowPositionColumn }: AddedColumns,
): ArrowSchema {
  const fields = columns.map(({ name, type }) => new Field<DataType>(name, arrowTypeOf(type), true));
  if (rawRecordColumn !== undefined) fields.push(new Field(rawRecordColumn, BYTES_LIST, true));
  if (rowPositionColumn !== undefined) fields.push(new Field(rowPositionColumn, new Int64(), false));
  return new ArrowSchema(fields);
}
