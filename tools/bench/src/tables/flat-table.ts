import { schemaOf } from "../decode/our-subjects.js";
import type { ColumnSpec } from "../sets/bench-set.js";
import type { Random } from "../sets/random.js";

/** Columns of the table, which are the same in every file format: integers, floats and text. */
export const flatColumns: readonly ColumnSpec[] = [
  { name: "id", kind: "int64" },
  { name: "user", kind: "int64" },
  { name: "clicks", kind: "int64" },
  { name: "price", kind: "float" },
  { name: "score", kind: "float" },
  { name: "balance", kind: "float" },
  { name: "country", kind: "bytes" },
  { name: "title", kind: "bytes" },
];

/** The TFMD schema of {@link flatColumns}. */
export const flatSchema = schemaOf(flatColumns);

/** A row as text cells. All cells except the last two contain numbers. */
export type FlatRow = readonly [...numbers: [string, string, string, string, string, string], string, string];

const countries = ["AT", "BR", "CH", "CN", "DE", "FR", "IN", "JP", "KE", "MX", "NO", "PL", "US"];
const words = [
  "blue",
  "chair",
  "Zürich",
  "lamp",
  "of",
  "old",
  "oak",
  "red",
  "round",
  "small",
  "stone",
  "table",
];

/**
 * Creates a generator of rows. A row is about 62 bytes long in CSV. One title in twenty needs quoting; half of these contain
 * quotes.
 */
export function createFlatRows(random: Random): () => FlatRow {
  let id = 10_000_000;
  const title = (): string => {
    const text = Array.from({ length: 2 + random.below(3) }, () => random.pick(words)).join(" ");
    if (random.below(20) > 0) return text;
    return random.below(2) === 0 ? `${text}, used` : `${text} "${random.pick(words)}"`;
  };
  return () => [
    String((id += 1 + random.below(3))),
    String(random.below(1_000_000)),
    String(random.below(100)),
    (random.below(100_000) / 100).toFixed(2),
    random.unit().toFixed(6),
    ((random.below(2_000_000) - 1_000_000) / 1000).toFixed(3),
    random.pick(countries),
    title(),
  ];
}
