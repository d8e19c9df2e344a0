import type { Counter, Metric } from "apache-beam/transforms/pardo";
import { type BytesColumn, columnElements, flatValues, listElements } from "@tfxio/arrow-encoding";
import type { ReadDescription } from "@tfxio/io";
import type { RecordBatch } from "apache-arrow";
import type { AsyncDoFn } from "../compat/repairs/process-async.js";
import { runUnit } from "../plan/run-unit.js";
import type { Unit } from "../plan/unit.js";

// Formats of raw records have a column "raw_record" themselves.
const COLUMN = "@tfxio/beam:record";

/** Counters of a read of records. */
export interface RawRecordMetrics {
  readonly numRecords: Counter;
  readonly recordBytes: Metric<number>;
}

/** Yields the serialized records of units, a copy each. Travels like `ReadUnits`. */
export class ReadRawRecords implements AsyncDoFn<string, Uint8Array, RawRecordMetrics> {
  readonly description: string;

  constructor(description: ReadDescription) {
    // No column but the records: nothing of them is decoded.
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

/** The values of a column of one byte string a row, a copy each: the batch goes, the records stay. */
function* recordsOf(batch: RecordBatch): Iterable<Uint8Array> {
  const data = batch.getChild(COLUMN)?.data[0];
  if (data === undefined) return;
  const records = flatValues(listElements(columnElements(data)).elements).values as BytesColumn;
  for (let at = 0; at < records.length; at++) yield records.get(at).slice();
}
