import { loadDecode, loadEncode } from "#coders";
import { defineFormat, onePassSource, type WritableFormat } from "@tfxio/format";
import { bufferStream } from "@tfxio/wire";
import { isAvroFile } from "./container/container-layout.js";
import { assertAvroOptions, AVRO_DEFAULTS, type AvroOptions } from "./options.js";

/**
 * Reads and writes Avro object container files with the codecs null, deflate and snappy. Also reads zstandard. Nested records
 * become struct columns, arrays become lists, and enums become dictionaries. A union of one type, with or without null, becomes a
 * column of that type. Any other union becomes a struct of its branches. A row position is the byte offset of the row's block
 * times 2^20, plus the row's index in the block.
 * @see Avro 1.12 specification, "Object Container Files"
 */
export const avro: WritableFormat<AvroOptions> = defineFormat<AvroOptions>({
  id: "avro",
  extensions: [".avro"],
  defaults: AVRO_DEFAULTS,
  contractVersion: 2,
  columnForm: "stored",
  reads: { rowPositionColumn: true, subdivide: true, batchBytes: true },
  module: import.meta.url,
  sniff: isAvroFile,
  async open(sources, { options, limits }) {
    assertAvroOptions(options, "read");
    const { createAvroReader } = await loadDecode();
    return createAvroReader(sources, { limits, canSeek: true });
  },
  async openStream(bytes, { options, limits }) {
    assertAvroOptions(options, "read");
    const { createAvroReader } = await loadDecode();
    const stream = bufferStream(bytes);
    const reader = createAvroReader([onePassSource(stream)], { limits, canSeek: false });
    return { ...reader, close: () => stream.close() };
  },
  async createWriter(target, { arrowSchema, options }) {
    assertAvroOptions(options, "write");
    const { createAvroWriter } = await loadEncode();
    return createAvroWriter(target, arrowSchema, options);
  },
});
