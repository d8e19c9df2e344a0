import type { Counter, Metric } from "apache-beam/transforms/pardo";
import { type BytesColumn, columnElements, flatValues, listElements } from "@tfxio/arrow-encoding";
import type { ReadDescription } from "@tfxio/io";
import type { RecordBatch } from "apache-arrow";
import type { AsyncDoFn } from "../compat/repairs/process-async.js";
import { runUnit } from "../plan/run-unit.js";
import type { Unit } from "../plan/unit.js";

// Formats of raw records already have a column "raw_record".
const COLUMN = "@tfxio/beam:record";

/** Metrics of a read of records. */
export interface RawRecordMetrics {
  readonly numRecords: Counter;
  readonly recordBytes: Metric<number>;
}

/** Reads the units that it receives as JSON, and yields a copy of each serialized record. Travels like `ReadUnits`. */
export class ReadRawRecords implements AsyncDoFn<string, Uint8Array, RawRecordMetrics> {
  readonly description: string;

  constructor(description: ReadDescription) {
    // The records are the only column, so no record is decoded.
    const request = { ...description.request, columns: [], rawRecordColumn: COLUMN };
    this.description = JSON.stringify({ ...description, request });
  }

  async *processAsync(unit: string, metrics: RawRecordMetrics): AsyncGenerator<Uint8Array, void, undefined> {
    const description = JSON.parse(this.description) as ReadDescription;
    for await (const batch of runUnit({ description }, JSON.parse(unit) as Unit)) {
      for (const record of recordsOf(batch)) {
        metrics.numRecords.increment();
        metrics.recordBytes.update(record.length);
        yield record;
      }
    }
  }
}

/** Copies of the records of a batch, one for each row. The records outlive the batch. */
function* recordsOf(batch: RecordBatch): Iterable<Uint8Array> {
  const data = batch.getChild(COLUMN)?.data[0];
  if (data === undefined) return;
  const records = flatValues(listElements(columnElements(data)).elements).values as BytesColumn;
  for (let at = 0; at < records.length; at++) yield records.get(at).slice();
}
