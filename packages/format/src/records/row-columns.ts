import { ArgumentError } from "@tfxio/wire";
import {
  type Data,
  Field,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
} from "apache-arrow";
import type { PayloadPlan } from "./record-format-parts.js";

/** Names of the columns with the origin of rows. */
export interface RowColumnNames {
  /** Int64: offset of the record's frame in the file's uncompressed bytes. */
  readonly position?: string | undefined;
  /** Int32: index of the split. */
  readonly splitIndex?: string | undefined;
}

/** Collects the origin of each row of the unfinished batch, and appends it to the batch as columns. */
export class RowColumns {
  readonly #names: RowColumnNames;
  /** True if records may be skipped, so that each row must be matched to its record. */
  readonly isOneByOne: boolean;
  #positions: number[] = [];
  #splitIndices: number[] = [];

  constructor(names: RowColumnNames, { skipsRecords = false }: Pick<PayloadPlan, "skipsRecords">) {
    this.#names = names;
    this.isOneByOne = skipsRecords;
  }

  /** Adds the origin of the batch's next row. */
  add(position: number, splitIndex: number): void {
    this.#positions.push(position);
    this.#splitIndices.push(splitIndex);
  }

  /** The batch with these columns appended. Starts the next batch. */
  appendTo(batch: RecordBatch): RecordBatch {
    const columns: Data[] = [];
    const { length } = this.#positions;
    if (this.#names.position !== undefined) {
      const data = BigInt64Array.from(this.#positions, BigInt);
      columns.push(makeData({ type: new Int64(), length, nullCount: 0, data }));
    }
    if (this.#names.splitIndex !== undefined) {
      columns.push(
        makeData({ type: new Int32(), length, nullCount: 0, data: Int32Array.from(this.#splitIndices) }),
      );
    }
    this.clear();
    const schema = withRowColumns(batch.schema, this.#names);
    const children = [...batch.data.children, ...columns];
    return batchOf(schema, batch.numRows, children);
  }

  /** Drops the collected rows, as the session drops its batch after an error. */
  clear(): void {
    this.#positions = [];
    this.#splitIndices = [];
  }
}

/** Like `recordBatchOf` of @tfxio/arrow-encoding, which this package cannot import. arrow-js takes quadratic time in columns. */
function batchOf(schema: ArrowSchema, numRows: number, children: Data[]): RecordBatch {
  const rows = { length: numRows, nullCount: 0 };
  const empty = makeData({ type: new Struct([]), ...rows, children: [] });
  const data = makeData({ type: new Struct(schema.fields), ...rows, children });
  return Object.assign(new RecordBatch(new ArrowSchema([]), empty), { schema, data });
}

/**
 * The schema with the columns of {@link RowColumns}.
 * @throws {ArgumentError} `invalid-argument` (`row-column-collision`) if the schema already has a column of that name, or both
 *   names are equal.
 */
export function withRowColumns(schema: ArrowSchema, { position, splitIndex }: RowColumnNames): ArrowSchema {
  const added: Field[] = [];
  if (position !== undefined) added.push(new Field(position, new Int64(), false));
  if (splitIndex !== undefined) added.push(new Field(splitIndex, new Int32(), false));
  for (const { name } of added) {
    if (!schema.fields.some((field) => field.name === name) && position !== splitIndex) continue;
    const argument = name === position ? "rowPositionColumn" : "splitIndexColumn";
    throw new ArgumentError(
      "invalid-argument",
      `${argument} "${name}" has the same name as another column.`,
      {
        reason: "row-column-collision",
        argument,
      },
    );
  }
  return new ArrowSchema([...schema.fields, ...added], schema.metadata);
}
