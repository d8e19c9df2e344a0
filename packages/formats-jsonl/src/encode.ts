import type { BatchWriter, WriterContext } from "@tfxio/format";
import { type ByteTarget, compressedTarget } from "@tfxio/wire";
import { JsonBuffer } from "./encode/json-buffer.js";
import { rowAppender } from "./encode/row-json.js";
import type { JsonlOptions } from "./options.js";

/** The writer passes its text to the target once the text has this many bytes, and at the end of each batch. */
const PIECE_BYTES: number = 2 ** 20;
/** Text before the first row, between rows and after the last row. `empty` is the entire content of a file without rows. */
const PUNCTUATION = {
  lines: { start: "", between: "\n", end: "\n", empty: "" },
  array: { start: "[\n", between: ",\n", end: "\n]\n", empty: "[]\n" },
} as const;

/**
 * Creates a writer that writes each row as a JSON object, as described at {@link rowAppender}. For `"auto"`, the target's name
 * determines the layout and the compression. If a row cannot be written, `write` rejects, but the rows before it are kept.
 */
export function writeJson(target: ByteTarget, { options }: WriterContext<JsonlOptions>): BatchWriter {
  const { layout, compression } = options;
  const isGzip = target.uri.endsWith(".gz");
  const named = isGzip ? "gzip" : "none";
  const stored = compressedTarget(target, compression === "auto" ? named : compression);
  const isArray = target.uri.endsWith(isGzip ? ".json.gz" : ".json");
  const punctuation = PUNCTUATION[layout === "auto" ? (isArray ? "array" : "lines") : layout];
  const json = new JsonBuffer();
  let isFirst = true;

  const flush = async (): Promise<void> => {
    if (json.length > 0) await stored.write(json.bytes);
    json.truncate(0);
  };
  return {
    async write(batch) {
      const append = rowAppender(batch, { ...options, json });
      for (let row = 0; row < batch.numRows; row++) {
        const { length } = json;
        json.appendAscii(isFirst ? punctuation.start : punctuation.between);
        try {
          append(row);
        } catch (error) {
          // Remove the incomplete row but keep the rows before it, so that the caller can continue with other batches.
          json.truncate(length);
          throw error;
        }
        isFirst = false;
        if (json.length >= PIECE_BYTES) await flush();
      }
      await flush();
    },
    async finish() {
      json.appendAscii(isFirst ? punctuation.empty : punctuation.end);
      await flush();
      await stored.finish();
    },
  };
}
