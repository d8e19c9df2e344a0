/** First bytes of containers, as text of one character a byte. */
const SIGNATURES: readonly (readonly [signature: string, name: string])[] = [
  ["PAR1", "Parquet"],
  ["PARE", "encrypted Parquet"],
  ["ARROW1\0\0", "an Arrow IPC file (Feather V2)"],
  ["\xff\xff\xff\xff", "an Arrow IPC stream"],
  ["FEA1", "Feather V1"],
  ["Obj\x01", "Avro"],
  ["ORC", "ORC"],
  ["\x1f\x8b", "gzip within gzip"],
  ["\x28\xb5\x2f\xfd", "zstd"],
  ["BZh", "bzip2"],
  ["\xfd7zXZ\0", "xz"],
  ["PK\x03\x04", "a zip archive"],
];

const EXTENSIONS: Readonly<Record<string, string>> = {
  parquet: "Parquet",
  arrow: "an Arrow IPC file (Feather V2)",
  arrows: "an Arrow IPC stream",
  feather: "Feather",
  avro: "Avro",
  orc: "ORC",
  zst: "zstd",
  bz2: "bzip2",
  xz: "xz",
  zip: "a zip archive",
  json: "JSON",
  jsonl: "JSON Lines",
  ndjson: "JSON Lines",
  csv: "CSV",
  tsv: "TSV",
};

/** What data of another kind is called, by its first bytes; undefined for what nobody would know. */
export function contentName(head: Uint8Array): string | undefined {
  const text = Array.from(head, (byte) => String.fromCharCode(byte)).join("");
  const known = SIGNATURES.find(([signature]) => text.startsWith(signature));
  if (known !== undefined) return known[1];
  // Control characters other than tab, line feed and carriage return are in no text.
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f]/.test(text)) return undefined;
  if (/^\s*(?:\{\s*["}]|\[\s*[\]{["\d])/.test(text)) return "JSON";
  const [first = "", second] = text.split(/\r?\n/);
  return isTable(first, second, "\t") ? "TSV" : isTable(first, second, ",") ? "CSV" : undefined;
}

/** The same by the end of a file's name. */
export function extensionName(name: string): string | undefined {
  const extension = /\.([a-z0-9]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}

/** Two lines of as many fields, which in quotes may have more separators; the second may be cut off. */
function isTable(first: string, second: string | undefined, separator: string): boolean {
  const numFields = (line: string): number => line.replace(/"[^"]*"/g, "").split(separator).length;
  return second !== undefined && numFields(first) > 1 && numFields(second) === numFields(first);
}
