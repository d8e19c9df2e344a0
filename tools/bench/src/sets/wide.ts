import { type BenchSet, utf8 } from "./bench-set.js";
import { writeEntry, writeFeature, writeMap } from "./example-fields.js";

const lengths = [128, 256, 512, 768, 1024];
const names = lengths.map((length) => utf8(`embedding_${length}`));

/**
 * Examples of five embeddings with 128 to 1024 floats. A record is 10.9 KB long, so copies and checksums take most of the time.
 */
export const wide: BenchSet = {
  name: "wide",
  payload: "example",
  hasLongRecords: true,
  columns: lengths.map((length) => ({ name: `embedding_${length}`, kind: "float", fixedLength: length })),
  createRecordWriter: (random) => (writer) =>
    writeMap(writer, 1, () => {
      for (let i = lengths.length - 1; i >= 0; i--) {
        writeEntry(writer, names[i] as Uint8Array, () =>
          writeFeature(writer, "float", () => {
            // Multiples of 1/1024 from -2 to less than 2. Like quantized embeddings, they compress to about half their size.
            for (let n = lengths[i] as number; n > 0; n--) writer.float((random.below(4096) - 2048) / 1024);
          }),
        );
      }
    }),
};

/**
 * The records of the set `wide`, in batches that alternate between two sizes. The smaller batches are like the last batch of a
 * file.
 */
export const wideTail: BenchSet = { ...wide, name: "wide_tail", recordsOf: "wide", batchRows: [4096, 1772] };
