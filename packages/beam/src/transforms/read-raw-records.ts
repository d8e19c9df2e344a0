import { type BytesColumn, columnElements, flatValues, listElements } from "@tfxio/arrow-encoding";
import type { ReadDescription } from "@tfxio/io";
import type { RecordBatch } from "apache-arrow";
import type { AsyncDoFn } from "../compat/repairs/process-async.js";
import { runUnit } from "../plan/run-unit.js";
import type { Unit } from "../plan/unit.js";
import { countRecord, type RecordMetrics } from "./metrics.js";
import { packJson, unpackJson } from "./packed-json.js";

// Not "raw_record", because formats of raw records already have a column of that name.
const COLUMN = "@tfxio/beam:record";

/** Yields a copy of each serialized record of the units. This class is serialized like `ReadUnits`. */
export class ReadRawRecords implements AsyncDoFn<string, Uint8Array, RecordMetrics> {
  readonly description: string;

  private constructor(description: string) {
    this.description = description;
  }

  static async of(this: void, description: ReadDescription): Promise<ReadRawRecords> {
    // If only the raw records are requested, their fields are not decoded.
    const request = { ...description.request, columns: [], rawRecordColumn: COLUMN };
    return new ReadRawRecords(await packJson({ ...description, request }));
  }

  async *processAsync(unit: string, metrics: RecordMetrics): AsyncGenerator<Uint8Array, void, undefined> {
    const description = await unpackJson<ReadDescription>(this, this.description);
    for await (const batch of runUnit({ description }, JSON.parse(unit) as Unit)) {
      for (const record of recordsOf(batch)) {
        countRecord(metrics, record);
        yield record;
      }
    }
  }
}

/** Yields the values of {@link COLUMN}, which has one byte string per row. They are copies, because records outlive the batch. */
function* recordsOf(batch: RecordBatch): Iterable<Uint8Array> {
  const data = batch.getChild(COLUMN)?.data[0];
  if (data === undefined) return;
  const records = flatValues(listElements(columnElements(data)).elements).values as BytesColumn;
  for (let at = 0; at < records.length; at++) yield records.get(at).slice();
}
