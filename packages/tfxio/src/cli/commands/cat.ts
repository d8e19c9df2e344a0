import { plainRows, sliceBatch } from "@tfxio/arrow-encoding";
import { firstRows, type Tfxio } from "@tfxio/io";
import { ArgumentError } from "@tfxio/wire/errors";
import type { RecordBatch } from "apache-arrow";
import { Option } from "commander";
import { type DeclareCommand, withExamples } from "../command.js";
import type { Host } from "../host.js";
import { openData } from "../options/open-data.js";
import { type SourceOptions, wholeNumber, withSources } from "../options/source-options.js";
import { binaryValues } from "../output/binary-values.js";
import { writeJsonRows } from "../output/show-rows.js";
import { counted } from "../output/units.js";

/** Options of `tfxio cat`. */
interface CatOptions extends SourceOptions {
  readonly limit?: number;
  readonly raw?: boolean;
  /** Number of the only record to write, counted from 0. Cannot be combined with `limit`. */
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
    const { record, limit = Number.MAX_SAFE_INTEGER } = options;
    const batches =
      record === undefined
        ? rowsOf(tfxio, options, limit, host)
        : rowAt(record, rowsOf(tfxio, options, record + 1, host));
    for await (const batch of batches) {
      if (options.raw !== true) await writeJsonRows(plainRows(batch), host.stdout);
      else for (const bytes of binaryValues(batch)) await host.stdout.write(bytes);
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

/**
 * Yields the row with the number `row`, counted from 0, as a batch. `batches` must contain no rows after that one.
 * @throws {ArgumentError} `invalid-argument` (`row-number`) if there are not enough rows.
 */
async function* rowAt(row: number, batches: AsyncIterable<RecordBatch>): AsyncGenerator<RecordBatch> {
  let numBefore = 0;
  for await (const batch of batches) {
    const start = row - numBefore;
    if (start < batch.numRows) yield sliceBatch(batch, start, batch.numRows);
    numBefore += batch.numRows;
  }
  if (row < numBefore) return;
  const found = `there ${numBefore === 1 ? "is" : "are"} ${counted(numBefore, "row")}`;
  throw new ArgumentError(
    "invalid-argument",
    `Record ${row} does not exist: --record counts from 0, and ${found}.`,
    {
      argument: "--record",
      reason: "row-number",
    },
  );
}
