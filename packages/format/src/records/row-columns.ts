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

/** Names of the columns that hold the origin of each row. A column without a name is not appended. */
export interface RowColumnNames {
  /** Name of an Int64 column with the offset of the record's frame in the file's uncompressed bytes. */
  readonly position?: string | undefined;
  /** Name of an Int32 column with the index of the split. */
  readonly splitIndex?: string | undefined;
}

/** Collects the origin of each row of the unfinished batch, and appends the origins to the batch as columns. */
export class RowColumns {
  readonly #names: RowColumnNames;
  /** True if records may be skipped. They are then pushed one by one, so that each row is matched to its record. */
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

  /** Returns the batch with the columns appended, and starts to collect the origins of the next batch. */
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

  /** Discards the collected origins. */
  clear(): void {
    this.#positions = [];
    this.#splitIndices = [];
  }
}

/**
 * Creates a batch in the same way as `recordBatchOf` of @tfxio/arrow-encoding, which this package cannot import. The RecordBatch
 * constructor of arrow-js is called without columns, because it takes time quadratic in their number.
 */
function batchOf(schema: ArrowSchema, numRows: number, children: Data[]): RecordBatch {
  const rows = { length: numRows, nullCount: 0 };
  const empty = makeData({ type: new Struct([]), ...rows, children: [] });
  const data = makeData({ type: new Struct(schema.fields), ...rows, children });
  return Object.assign(new RecordBatch(new ArrowSchema([]), empty), { schema, data });
}

/**
 * Appends the fields of {@link RowColumns} to a schema.
 * @throws {ArgumentError} `invalid-argument` (`row-column-collision`) if the schema already has a column with one of these names,
 *   or if the two names are the same.
 */
export function withRowColumns(schema: ArrowSchema, { position, splitIndex }: RowColumnNames): ArrowSchema {
  const added: Field[] = [];
  if (position !== undefined) added.push(new Field(position, new Int64(), false));
  if (splitIndex !== undefined) added.push(new Field(splitIndex, new Int32(), false));
  for (const { name } of added) {
    if (!schema.fields.some((field) => field.name === name) && position !== splitIndex) continue;
    const isPosition = name === position;
    throw new ArgumentError(
      "invalid-argument",
      `The ${isPosition ? "row position" : "split index"} column "${name}" has the same name as another column.`,
      {
        reason: "row-column-collision",
        argument: isPosition ? "rowPositionColumn" : "splitIndexColumn",
      },
    );
  }
  return new ArrowSchema([...schema.fields, ...added], schema.metadata);
}
