import { recordBatchOf } from "@tfxio/arrow-encoding";
import { isTfxioError, UnsupportedError } from "@tfxio/wire";
import {
  DataType,
  type Field,
  type RecordBatch,
  RecordBatchStreamWriter,
  type Schema as ArrowSchema,
} from "apache-arrow";
import { countTrap, usableEngine } from "./usable-engine.js";
import type { ParquetOptions } from "../options.js";
import { withCommonDictionaries } from "../row-groups/common-dictionaries.js";

type Engine = Awaited<ReturnType<typeof usableEngine>>;

/** Encodes batches as a Parquet file in memory. */
export type Encoder = (batches: readonly RecordBatch[]) => Promise<Uint8Array>;

/**
 * Creates an encoder for batches with this schema. The encoder passes the batches to the engine as an Arrow stream.
 * @throws {UnsupportedError} `unsupported` (`column-type`), also from the encoder, for columns that the engine cannot store.
 *   The encoder also throws the errors of {@link withCommonDictionaries}.
 */
export function createEncoder(arrowSchema: ArrowSchema, options: ParquetOptions): Encoder {
  assertNoNestedNulls(arrowSchema);
  return async (batches) => {
    const engine = await usableEngine();
    try {
      const table = engine.Table.fromIPCStream(ipcStream(arrowSchema, batches));
      return engine.writeParquet(table, writerProperties(engine, options));
    } catch (cause) {
      if (isTfxioError(cause)) throw cause;
      countTrap(cause);
      const types = arrowSchema.fields.map(({ name, type }) => `${name}: ${type}`).join(", ");
      const text = cause instanceof Error ? cause.message : String(cause);
      const message = `Columns ${types} cannot be written to a Parquet file: ${text}`;
      throw new UnsupportedError(message, {
        reason: "column-type",
        feature: "Parquet columns of this type",
        cause,
      });
    }
  };
}

function ipcStream(arrowSchema: ArrowSchema, batches: readonly RecordBatch[]): Uint8Array {
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, arrowSchema);
  if (batches.length > 0)
    for (const batch of withCommonDictionaries(batches)) writer.write(withCountedNulls(batch));
  return writer.finish().toUint8Array(true);
}

/** Sets the null count of top-level Null columns. arrow-js leaves the count unset, which the engine rejects. */
function withCountedNulls(batch: RecordBatch): RecordBatch {
  const { data, schema, numRows, metadata } = batch;
  if (!schema.fields.some(({ type }) => DataType.isNull(type))) return batch;
  const children = data.children.map((column) => {
    const { type, offset, length } = column;
    return DataType.isNull(type) ? column.clone(type, offset, length, length) : column;
  });
  return recordBatchOf(schema, numRows, children, metadata);
}

/** Rejects nested Null columns, because arrow-js resets their null count when it writes them. */
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
