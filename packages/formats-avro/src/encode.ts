import type { BatchWriter } from "@tfxio/format";
import type { ByteTarget } from "@tfxio/wire";
import { type Data, Field, type Schema as ArrowSchema, Struct } from "apache-arrow";
import { ByteWriter } from "./write/byte-writer.js";
import { WRITABLE_CODECS } from "./container/codecs.js";
import { fieldWriter } from "./write/column-writer.js";
import type { WriteValue } from "./write/leaf-writer.js";
import { AVRO_MAGIC, MAX_BLOCK_ROWS, SYNC_BYTES } from "./container/container-layout.js";
import type { AvroOptions } from "./options.js";

const utf8 = new TextEncoder();

/**
 * Creates a writer of an object container file. Each row becomes a record. A block ends at about `blockBytes` uncompressed bytes
 * or at 2^20 rows, so the writer holds at most one block in memory.
 * @throws {UnsupportedError} `unsupported` (`column-type`, `column-name`) if Avro cannot represent a column.
 * @throws {ConversionError} The writer's `write` rejects with `out-of-range` (`int64`, `avro-int`) or `not-convertible`
 * (`null-value`).
 * @see Avro 1.12 specification, "Object Container Files"
 */
export function createAvroWriter(
  target: ByteTarget,
  { fields }: ArrowSchema,
  { codec, blockBytes }: AvroOptions,
): BatchWriter {
  let numRecords = 0;
  const row = fieldWriter(new Field("row", new Struct(fields), false), () => `record${numRecords++}`, "");
  const sync = crypto.getRandomValues(new Uint8Array(SYNC_BYTES));
  const [values, frame] = [new ByteWriter(), new ByteWriter()];
  let [numRows, isBegun] = [0, false];

  const writeHeader = async (): Promise<void> => {
    isBegun = true;
    const metadata = { "avro.schema": JSON.stringify(row.schema), "avro.codec": codec };
    frame.writeFixed(Uint8Array.from(AVRO_MAGIC));
    frame.writeNumber(Object.keys(metadata).length);
    for (const text of Object.entries(metadata).flat()) frame.writeBytes(utf8.encode(text));
    frame.writeNumber(0);
    frame.writeFixed(sync);
    await target.write(frame.take());
  };
  const writeBlock = async (): Promise<void> => {
    frame.writeNumber(numRows);
    frame.writeBytes(await WRITABLE_CODECS[codec].compress(values.take()));
    frame.writeFixed(sync);
    numRows = 0;
    await target.write(frame.take());
  };
  return {
    async write(batch) {
      if (!isBegun) await writeHeader();
      const write: WriteValue = row.of(batch.data as Data);
      for (let at = 0; at < batch.numRows; at++) {
        const start = values.length;
        try {
          write(at, values, at);
        } catch (error) {
          // Keep only whole rows.
          values.length = start;
          throw error;
        }
        numRows++;
        if (values.length >= blockBytes || numRows === MAX_BLOCK_ROWS) await writeBlock();
      }
    },
    async finish() {
      if (!isBegun) await writeHeader();
      if (numRows > 0) await writeBlock();
    },
  };
}
