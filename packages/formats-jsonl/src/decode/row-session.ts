import { recordBatchOf } from "@tfxio/arrow-encoding";
import type { PayloadSession } from "@tfxio/format";
import {
  type BatchLimits,
  isTfxioError,
  type PushProgress,
  RecordError,
  type RecordBlock,
} from "@tfxio/wire";
import { type RecordBatch, Schema as ArrowSchema, util } from "apache-arrow";
import type { Column } from "../columns/column.js";
import { arrowFields, fieldsByteSize, fieldsData } from "../columns/column-data.js";
import type { ColumnCount } from "../columns/fields.js";
import type { JsonRowOptions } from "../options.js";
import { JsonCursor, type ParseRules } from "../parse/json-cursor.js";
import { OPEN_OBJECT, peek, skipValue } from "../parse/skip-value.js";
import { BatchSize } from "./batch-size.js";
import { KeptRecords } from "./kept-records.js";
import { parseObject } from "./parse-value.js";
import { RawRecords, withRawRecords } from "./raw-records.js";

export interface RowRules extends ParseRules, Pick<JsonRowOptions, "onBadLine"> {
  readonly rawRecordColumn: string | undefined;
}

/**
 * Maximum size of a batch in bytes. A batch can be far larger than its JSON, because each small object in a list adds a value to
 * every column of its struct.
 */
const MAX_BATCH_BYTES: number = 2 ** 32;

/** Parses records into columns. */
export class RowSession implements PayloadSession {
  readonly #root: Column;
  readonly #cursor: JsonCursor<Column>;
  readonly #isSkipping: boolean;
  readonly #size: BatchSize;
  readonly #declared: ColumnCount;
  readonly #raw: RawRecords | undefined;
  /** Copies of the batch's records, if they may have to be parsed again. */
  readonly #kept: KeptRecords | undefined;
  #schema: ArrowSchema | undefined;
  numSkipped = 0;

  /** @param root Empty columns, which the session owns. */
  constructor(root: Column, rules: RowRules) {
    const { onBadLine, onMixed, rawRecordColumn } = rules;
    this.#root = root;
    root.start("struct");
    this.#cursor = new JsonCursor(rules);
    this.#isSkipping = onBadLine === "skip";
    this.#size = new BatchSize(root);
    this.#declared = { ...root.selection.count };
    this.#raw = rawRecordColumn === undefined ? undefined : new RawRecords(rawRecordColumn);
    this.#kept = onMixed === "widen" && !root.isDeclared ? new KeptRecords() : undefined;
  }

  get numRows(): number {
    return this.#root.length;
  }

  push(block: RecordBlock, from: number, limits: BatchLimits): PushProgress {
    let at = from;
    let isFull = false;
    try {
      while (at < block.numRecords && !isFull) isFull = this.#pushRecord(block, at++, limits);
    } catch (error) {
      this.#drop();
      throw error;
    }
    return { consumed: at - from, numRecords: at - from, isFull };
  }

  finish(): RecordBatch {
    try {
      this.#parseMixedAgain();
      return this.#batch();
    } finally {
      this.#drop();
    }
  }

  /** @returns true when the batch is full. */
  #pushRecord(block: RecordBlock, index: number, limits: BatchLimits): boolean {
    const cursor = this.#cursor;
    cursor.enter(block, index);
    cursor.skipSpace();
    if (cursor.at === cursor.end) return false;
    if (this.#isSkipping && !this.#isWellFormed()) {
      this.numSkipped++;
      return false;
    }
    this.#parseRow();
    this.#kept?.add(block, index);
    this.#raw?.add(block, index);
    return this.#size.add(block.ends[index]! - block.starts[index]!, limits);
  }

  #parseRow(): void {
    const cursor = this.#cursor;
    assertObject(cursor);
    parseObject(cursor, this.#root, 0);
    assertEnd(cursor);
  }

  /** Checks the record without moving past it. */
  #isWellFormed(): boolean {
    const cursor = this.#cursor;
    const { at } = cursor;
    try {
      assertObject(cursor);
      skipValue(cursor, 0);
      assertEnd(cursor);
      return true;
    } catch (error) {
      if (isTfxioError(error, "malformed-payload", "limit-exceeded")) return false;
      throw error;
    } finally {
      cursor.at = at;
    }
  }

  /** Parses the batch again, with text columns in place of columns that mix kinds. */
  #parseMixedAgain(): void {
    const { mixed } = this.#cursor;
    if (mixed.size === 0 || this.#kept === undefined) return;
    this.#emptyColumns();
    for (const column of mixed) column.startText();
    for (const block of this.#kept.blocks()) {
      this.#cursor.enter(block, 0);
      this.#cursor.skipSpace();
      this.#parseRow();
    }
  }

  #batch(): RecordBatch {
    const root = this.#root;
    const { length } = root;
    if (fieldsByteSize(root, length) > MAX_BATCH_BYTES) {
      const { uri } = this.#cursor;
      const message = `${uri}: a batch of ${length} rows takes more than ${MAX_BATCH_BYTES} bytes; read smaller batches.`;
      throw new RecordError("limit-exceeded", message, { reason: "batch-too-large", uri });
    }
    const fields = arrowFields(root);
    const children = fieldsData(root, fields);
    if (this.#raw !== undefined) children.push(this.#raw.data());
    const schema = new ArrowSchema(withRawRecords(fields, this.#raw?.name));
    // Consumers compare schemas by identity.
    if (this.#schema === undefined || !util.compareSchemas(this.#schema, schema)) this.#schema = schema;
    return recordBatchOf(this.#schema, length, children);
  }

  #drop(): void {
    this.#emptyColumns();
    for (const column of this.#cursor.mixed) column.reset();
    this.#cursor.mixed.clear();
    this.#kept?.clear();
    this.#raw?.clear();
    this.#size.reset();
  }

  #emptyColumns(): void {
    const root = this.#root;
    root.reset();
    root.start("struct");
    Object.assign(root.selection.count, this.#declared);
  }
}

function assertObject(cursor: JsonCursor): void {
  if (peek(cursor) !== OPEN_OBJECT) throw cursor.malformed("a JSON object", "not-an-object");
}

function assertEnd(cursor: JsonCursor): void {
  cursor.skipSpace();
  if (cursor.at < cursor.end) throw cursor.malformed("the end of the record");
}
