import { type BenchSet, type ColumnSpec, utf8 } from "./bench-set.js";
import { writeBytesValue, writeEntry, writeFeature, writeMap } from "./example-fields.js";
import type { Random } from "./random.js";
import type { ReverseWriter } from "./reverse-writer.js";

// The 40 features of the Criteo click logs: a label, 13 logarithms of counts, and 26 hashed categories.
const columns: readonly ColumnSpec[] = [
  { name: "label", kind: "int64" },
  ...Array.from({ length: 13 }, (_, i) => ({ name: `int-feature-${i + 1}`, kind: "float" }) as const),
  ...Array.from(
    { length: 26 },
    (_, i) => ({ name: `categorical-feature-${i + 14}`, kind: "bytes" }) as const,
  ),
];
const names = columns.map((column) => utf8(column.name));
const logarithms = Float32Array.from({ length: 5000 }, (_, count) => Math.log1p(count));
const hexDigits = utf8("0123456789abcdef");

function writeColumn(writer: ReverseWriter, random: Random, category: Uint8Array, index: number): void {
  const kind = (columns[index] as ColumnSpec).kind;
  writeEntry(writer, names[index] as Uint8Array, () =>
    writeFeature(writer, kind, () => {
      if (kind === "int64") writer.varint(random.below(2));
      else if (kind === "float") writer.float(logarithms[random.below(logarithms.length)] as number);
      else {
        for (let bits = random.uint32(), i = 0; i < 8; i++, bits >>>= 4) {
          category[i] = hexDigits[bits & 15] as number;
        }
        writeBytesValue(writer, category);
      }
    }),
  );
}

/** tf.Examples with 40 features of one value each, always in the same order. A decoder can predict the next feature. */
export const criteo: BenchSet = {
  name: "criteo",
  payload: "example",
  columns: columns.map((column) => ({ ...column, fixedLength: 1 })),
  createRecordWriter: (random) => {
    const category = new Uint8Array(8);
    return (writer) =>
      writeMap(writer, 1, () => {
        for (let i = columns.length - 1; i >= 0; i--) writeColumn(writer, random, category, i);
      });
  },
};

/**
 * Examples with the features of criteo, in a different order in every record, as C++ writes protobuf maps. Each feature except
 * the label is absent in 5 % of the records.
 */
export const criteoShuffled: BenchSet = {
  name: "criteo_shuf",
  payload: "example",
  columns,
  createRecordWriter: (random) => {
    const category = new Uint8Array(8);
    const order = columns.map((_, index) => index);
    return (writer) => {
      for (let i = order.length - 1; i > 0; i--) {
        const j = random.below(i + 1);
        const swapped = order[i] as number;
        order[i] = order[j] as number;
        order[j] = swapped;
      }
      writeMap(writer, 1, () => {
        for (const index of order) {
          if (index > 0 && random.unit() < 0.05) continue;
          writeColumn(writer, random, category, index);
        }
      });
    };
  },
};
