import { plainRows, sliceBatch } from "@tfxio/arrow-encoding";
import { firstRows, type Tfxio } from "@tfxio/io";
import type { RecordBatch } from "apache-arrow";
import { Option } from "commander";
import { type DeclareCommand, withExamples } from "../command.js";
import type { Host } from "../host.js";
import { openData } from "../options/open-data.js";
import { type SourceOptions, wholeNumber, withSources } from "../options/source-options.js";
import { binaryValues } from "../output/binary-values.js";
import { writeJsonRows } from "../output/show-rows.js";

/** Options of `tfxio cat`. */
interface CatOptions extends SourceOptions {
  readonly limit?: number;
  readonly raw?: boolean;
  /** Number of the only record to write, from 0. Cannot be combined with `limit`. */
  readonly record?: number;
}

/** Declares `tfxio cat`. It writes batch by batch, so memory does not grow with the number of rows. */
export const declareCat: DeclareCommand = (command, host) => {
  withExamples(
    withSources(command)
      .option("-n, --limit <rows>", "rows to write; default: all", wholeNumber(0))
      .option("--raw", "write the raw bytes of each record, without separators")
      .addOption(
        new Option("--record <number>", "write only this record, counted from 0")
          .argParser(wholeNumber(0))
          .conflicts("limit"),
      ),
    "tfxio cat people.parquet | jq .city",
    "tfxio cat --raw --record 3 data.tfrecord | protoc --decode_raw",
  ).action(async (sources: readonly string[], options: CatOptions) => {
    const tfxio = await openData(sources, options, {}, host);
    const from = options.record ?? 0;
    const numRows = options.record === undefined ? (options.limit ?? Number.MAX_SAFE_INTEGER) : from + 1;
    for await (const batch of skipRows(from, rowsOf(tfxio, options, numRows, host))) {
      if (options.raw !== true) await writeJsonRows(plainRows(batch), host.stdout);
      else for (const record of binaryValues(batch)) await host.stdout.write(record);
    }
  });
};

/** Reads the first `numRows` rows. With `--raw`, the only column holds the serialized records. */
function rowsOf(
  tfxio: Tfxio,
  { raw }: CatOptions,
  numRows: number,
  { signal }: Host,
): AsyncIterable<RecordBatch> {
  const recordBatches: Tfxio["recordBatches"] =
    raw === true
      ? (reading) => tfxio.rawRecords({ signal: reading?.signal })
      : (reading) => tfxio.recordBatches(reading);
  return firstRows({ recordBatches }, { numRows, signal });
}

/** Skips the first `numRows` rows. */
async function* skipRows(numRows: number, batches: AsyncIterable<RecordBatch>): AsyncGenerator<RecordBatch> {
  let rowsLeft = numRows;
  for await (const batch of batches) {
    const { numRows: length } = batch;
    if (rowsLeft < length) yield rowsLeft === 0 ? batch : sliceBatch(batch, rowsLeft, length);
    rowsLeft = Math.max(0, rowsLeft - length);
  }
}
