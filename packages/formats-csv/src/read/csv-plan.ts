import type { ColumnForm, PlanRequest } from "@tfxio/format";
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
  /**
   * Unrequested columns whose cells are checked if `onBadCell` is `"skip-row"`, because a bad cell in any column drops its row.
   * Empty for any other `onBadCell`.
   */
  readonly checked: readonly CsvColumn[];
  /** Names of the first file's columns, if files must not have other columns; otherwise undefined. */
  readonly otherNames: ReadonlySet<string> | undefined;
  /** Names of the schema's columns, if a value in any other column is an error; otherwise undefined. */
  readonly listed: ReadonlySet<string> | undefined;
  readonly hasSchema: boolean;
  /** `"stored"`: columns are flat, except multivalent ones. */
  readonly columnForm: ColumnForm;
  readonly arrowSchema: ArrowSchema;
  readonly rawRecordColumn: string | undefined;
  readonly rowPositionColumn: string | undefined;
  readonly batchSize: number;
  readonly batchBytes: number;
  readonly options: CsvOptions;
  readonly maxRecordBytes: number;
}

const item = <Type extends DataType>(type: Type): List<Type> => new List(new Field("item", type, true));
const VALUE_TYPES: Readonly<Record<CsvColumn["type"], Int64 | Float32 | Binary | Null>> = {
  int: new Int64(),
  float: new Float32(),
  bytes: new Binary(),
  null: new Null(),
};
const LIST_TYPES: Readonly<Record<CsvColumn["type"], List<Int64 | Float32 | Binary> | Null>> = {
  int: item(new Int64()),
  float: item(new Float32()),
  bytes: item(new Binary()),
  null: new Null(),
};

/** Type of raw records in list form. */
export const BYTES_LIST: List<Binary> = item(new Binary());

/**
 * Returns the Arrow type of a column in list form, as in tfx_bsl's `CsvTFXIO` but with 32-bit offsets: lists of values, or Null
 * if no type is known.
 */
export function listTypeOf(type: CsvColumn["type"]): DataType {
  return LIST_TYPES[type];
}

/** Returns the Arrow type of a column's values. This is also the column's type in stored form, unless it is multivalent. */
function valueTypeOf(type: CsvColumn["type"]): DataType {
  return VALUE_TYPES[type];
}

/** True if each row of the column is a value rather than a list of values. */
export function isFlat({ isMultivalent }: CsvColumn, columnForm: ColumnForm): boolean {
  return columnForm === "stored" && !isMultivalent;
}

/** Names of the columns that a batch has in addition to the file's columns. */
type AddedColumns = Pick<PlanRequest, "rawRecordColumn" | "rowPositionColumn">;

/**
 * Rejects a column for raw records or row positions if another column, even one that is not read, has its name.
 * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`, `row-column-collision`).
 */
export function assertFreeNames(
  names: readonly string[],
  { rawRecordColumn, rowPositionColumn }: AddedColumns,
): void {
  const reject = (argument: string, name: string, reason: string): never => {
    const column = argument === "rawRecordColumn" ? "The raw record column" : "The row position column";
    const message = `${column} "${name}" has the same name as another column.`;
    throw new ArgumentError("invalid-argument", message, { reason, argument });
  };
  if (rawRecordColumn !== undefined && names.includes(rawRecordColumn)) {
    reject("rawRecordColumn", rawRecordColumn, "raw-column-collision");
  }
  if (rowPositionColumn !== undefined && [...names, rawRecordColumn].includes(rowPositionColumn)) {
    reject("rowPositionColumn", rowPositionColumn, "row-column-collision");
  }
}

/** Returns the schema of every batch: the columns, then the raw record and row position columns if requested. */
export function arrowSchemaOf(
  columns: readonly CsvColumn[],
  { rawRecordColumn, rowPositionColumn, columnForm }: AddedColumns & Pick<CsvPlan, "columnForm">,
): ArrowSchema {
  const fields = columns.map((column) => {
    const { name, type } = column;
    return new Field<DataType>(name, isFlat(column, columnForm) ? valueTypeOf(type) : listTypeOf(type), true);
  });
  if (rawRecordColumn !== undefined) {
    const isStored = columnForm === "stored";
    fields.push(new Field<DataType>(rawRecordColumn, isStored ? new Binary() : BYTES_LIST, !isStored));
  }
  if (rowPositionColumn !== undefined) fields.push(new Field(rowPositionColumn, new Int64(), false));
  return new ArrowSchema(fields);
}
