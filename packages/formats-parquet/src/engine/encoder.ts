import { recordBatchOf } from "@tfxio/arrow-encoding";
import { isTfxioError, UnsupportedError } from "@tfxio/wire";
import {
  DataType,
  type Field,
  type RecordBatch,
  RecordBatchStreamWriter,
  Schema as ArrowSchema,
} from "apache-arrow";
import { countTrap, usableEngine } from "./usable-engine.js";
import type { ParquetOptions } from "../options.js";
import { withCommonDictionaries } from "../row-groups/common-dictionaries.js";

type Engine = Awaited<ReturnType<typeof usableEngine>>;

/** Encodes batches as a Parquet file in memory. */
export type Encoder = (batches: readonly RecordBatch[]) => Promise<Uint8Array>;

/**
 * Creates an encoder for batches with this schema. The encoder passes the batches to the engine as an Arrow stream.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for columns with nested Null. The encoder throws the same error for
 *   columns that the engine rejects. It also throws the errors of {@link withCommonDictionaries} and {@link usableEngine}.
 */
export function createEncoder(arrowSchema: ArrowSchema, options: ParquetOptions): Encoder {
  assertNoNestedNulls(arrowSchema);
  return async (batches) => {
    try {
      return await encodedFile(arrowSchema, batches, options);
    } catch (cause) {
      if (isTfxioError(cause)) throw cause;
      countTrap(cause);
      const { columns, reason } = await failedColumns(arrowSchema, batches, options, cause);
      const text = reason instanceof Error ? reason.message : String(reason);
      const message = `${columns} cannot be written to a Parquet file: ${text}`;
      throw new UnsupportedError(message, {
        reason: "column-type",
        feature: "Parquet columns of this type",
        cause,
      });
    }
  };
}

async function encodedFile(
  arrowSchema: ArrowSchema,
  batches: readonly RecordBatch[],
  options: ParquetOptions,
): Promise<Uint8Array> {
  const engine = await usableEngine();
  const table = engine.Table.fromIPCStream(ipcStream(arrowSchema, batches));
  return engine.writeParquet(table, writerProperties(engine, options));
}

/** Maximum number of columns that an error lists if no column is found to fail on its own. */
const MAX_LISTED_COLUMNS = 3;

/** The columns that the engine rejects, in words, and the engine's reason. */
interface FailedColumns {
  readonly columns: string;
  readonly reason: unknown;
}

/**
 * Finds the first column that the engine rejects, by encoding each column alone. Stops there, because each rejection may be a
 * WebAssembly trap, and the engine survives only a limited number of traps.
 * @param cause The engine's error when it encoded all columns together.
 */
async function failedColumns(
  { fields }: ArrowSchema,
  batches: readonly RecordBatch[],
  options: ParquetOptions,
  cause: unknown,
): Promise<FailedColumns> {
  const named = ({ name, type }: Field): string => `Column "${name}" of type ${type}`;
  const [only, ...others] = fields;
  if (only !== undefined && others.length === 0) return { columns: named(only), reason: cause };
  for (const [index, field] of fields.entries()) {
    const schema = new ArrowSchema([field]);
    const column = batches.map(({ data, numRows }) =>
      recordBatchOf(schema, numRows, data.children.slice(index, index + 1)),
    );
    try {
      await encodedFile(schema, column, options);
    } catch (reason) {
      // After too many traps, the engine is unusable (`engine-lost`).
      if (isTfxioError(reason)) break;
      countTrap(reason);
      return { columns: named(field), reason };
    }
  }
  const listed = fields.slice(0, MAX_LISTED_COLUMNS).map(({ name, type }) => `${name}: ${type}`);
  const numMore = fields.length - listed.length;
  const more = numMore > 0 ? ` and ${numMore} more` : "";
  return { columns: `The columns ${listed.join(", ")}${more}`, reason: cause };
}

function ipcStream(arrowSchema: ArrowSchema, batches: readonly RecordBatch[]): Uint8Array {
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, arrowSchema);
  if (batches.length > 0)
    for (const batch of withCommonDictionaries(batches)) writer.write(withCountedNulls(batch));
  return writer.finish().toUint8Array(true);
}

/** Sets the null count of top-level Null columns. In slices, arrow-js sets it to -1, which the engine rejects. */
function withCountedNulls(batch: RecordBatch): RecordBatch {
  const { data, schema, numRows, metadata } = batch;
  if (!schema.fields.some(({ type }) => DataType.isNull(type))) return batch;
  const children = data.children.map((column) => {
    const { type, offset, length } = column;
    return DataType.isNull(type) ? column.clone(type, offset, length, length) : column;
  });
  return recordBatchOf(schema, numRows, children, metadata);
}

/** Rejects nested Null columns. When arrow-js writes a list, it slices the list's values, which sets their null count to -1. */
function assertNoNestedNulls({ fields }: ArrowSchema): void {
  const holdsNulls = ({ type }: Field): boolean =>
    (type.children ?? []).some((child: Field) => DataType.isNull(child.type) || holdsNulls(child));
  const column = fields.find(holdsNulls);
  if (column === undefined) return;
  const message = `Column "${column.name}" of type ${column.type} cannot be written to a Parquet file: Null can only be the type of a whole column.`;
  throw new UnsupportedError(message, { reason: "column-type", feature: "Parquet columns with nested Null" });
}

function writerProperties(
  engine: Engine,
  { compression, dictionary, statistics, rowGroupRows }: ParquetOptions,
) {
  const { Compression, EnabledStatistics } = engine;
  const codecs = {
    none: Compression.UNCOMPRESSED,
    snappy: Compression.SNAPPY,
    zstd: Compression.ZSTD,
    gzip: Compression.GZIP,
    lz4: Compression.LZ4_RAW,
    brotli: Compression.BROTLI,
  };
  const levels = {
    "row-group": EnabledStatistics.Chunk,
    page: EnabledStatistics.Page,
    none: EnabledStatistics.None,
  };
  return new engine.WriterPropertiesBuilder()
    .setCompression(codecs[compression])
    .setDictionaryEnabled(dictionary)
    .setStatisticsEnabled(levels[statistics])
    .setMaxRowGroupSize(rowGroupRows)
    .setCreatedBy("TFXIO for JavaScript, by parquet-wasm")
    .build();
}
