import { UnsupportedError } from "@tfxio/wire";
import { type RecordBatch, RecordBatchStreamWriter, type Schema as ArrowSchema } from "apache-arrow";
import { countTrap, usableEngine } from "./usable-engine.js";
import type { ParquetOptions } from "../options.js";
import { withCommonDictionaries } from "../row-groups/common-dictionaries.js";

type Engine = Awaited<ReturnType<typeof usableEngine>>;

/** Makes a Parquet file in memory of batches. */
export type Encoder = (batches: readonly RecordBatch[]) => Promise<Uint8Array>;

/**
 * An encoder of batches of this schema, which go to the engine as an Arrow stream.
 * @throws {UnsupportedError} (the encoder) `unsupported` (`column-type`) for columns that the engine has no form for.
 */
export function createEncoder(arrowSchema: ArrowSchema, options: ParquetOptions): Encoder {
  return async (batches) => {
    const engine = await usableEngine();
    try {
      const table = engine.Table.fromIPCStream(ipcStream(arrowSchema, batches));
      return engine.writeParquet(table, writerProperties(engine, options));
    } catch (cause) {
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
  if (batches.length > 0) for (const batch of withCommonDictionaries(batches)) writer.write(batch);
  return writer.finish().toUint8Array(true);
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
