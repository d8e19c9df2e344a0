import { type BenchSet, utf8 } from "./bench-set.js";
import { writeEntry, writeFeature, writeMap } from "./example-fields.js";

const numColumns = 10;
const names = Array.from({ length: numColumns }, (_, i) => utf8(`ids_${i}`));

/**
 * Examples of ten lists of 0 to 50 ids. Five lists have ids below 100,000, three below 2^31 and two below 2^63, so varints have
 * 1 to 9 bytes.
 */
export const ragged: BenchSet = {
  name: "ragged",
  payload: "example",
  columns: Array.from({ length: numColumns }, (_, i) => ({ name: `ids_${i}`, kind: "int64" })),
  createRecordWriter: (random) => (writer) =>
    writeMap(writer, 1, () => {
      for (let i = numColumns - 1; i >= 0; i--) {
        writeEntry(writer, names[i] as Uint8Array, () =>
          writeFeature(writer, "int64", () => {
            for (let n = random.below(51); n > 0; n--) {
              if (i < 5) writer.varint(random.below(100_000));
              else if (i < 8) writer.varint(random.below(0x8000_0000));
              else writer.varint64(random.below(0x8000_0000), random.uint32());
            }
          }),
        );
      }
    }),
};
