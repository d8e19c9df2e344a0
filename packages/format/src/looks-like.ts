import { SNIFF_BYTES } from "./sniff-result.js";

/** The first bytes of common file formats, as text with one character per byte, and the names of the formats. */
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

/** Maximum number of lines whose cells are compared. */
const MAX_TABLE_LINES = 20;
const MIN_TABLE_LINES = 2;

/** Names of kinds of files. The keys are file extensions in lower case. */
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

/** Returns the name of the kind of data, judged by its first bytes; undefined if unknown. For error messages. */
export function contentName(head: Uint8Array): string | undefined {
  const text = asText(head);
  const known = SIGNATURES.find(([signature]) => text.startsWith(signature));
  if (known !== undefined) return known[1];
  if (isJson(text)) return "JSON";
  return isDelimitedText(head, "\t") ? "TSV" : isDelimitedText(head, ",") ? "CSV" : undefined;
}

/**
 * Returns true for text that is likely a table: it has at least two lines, and its first lines all have the same number of cells,
 * at least two. Empty lines do not count. Quoted cells may contain delimiters and line ends. JSON is not a table.
 * @param head The first bytes of a file. If there are 4096 bytes, the last line may be cut off.
 * @param delimiter The character between cells.
 */
export function isDelimitedText(head: Uint8Array, delimiter: string): boolean {
  const text = asText(head).replace(/^\xef\xbb\xbf/, "");
  // Text has no control characters other than tab, line feed and carriage return.
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f]/.test(text) || isJson(text)) return false;
  // A quoted cell without a closing quote was cut off at the end of `head`, so drop its line.
  const lines = text
    .replace(/"(?:[^"]|"")*(?:"|$)/g, (cell) => (cell.length > 1 && cell.endsWith('"') ? "q" : "q\0"))
    .replace(/[^\r\n]*q\0.*$/s, "")
    .split(/\r\n|\n|\r/);
  const isCut = head.length >= SNIFF_BYTES && lines.length > MIN_TABLE_LINES;
  const whole = (isCut ? lines.slice(0, -1) : lines).slice(0, MAX_TABLE_LINES).filter((line) => line !== "");
  const numCells = (line: string): number => line.split(delimiter).length;
  const [first = ""] = whole;
  return (
    whole.length >= MIN_TABLE_LINES &&
    numCells(first) > 1 &&
    whole.every((line) => numCells(line) === numCells(first))
  );
}

/** Converts bytes to text with one character per byte. */
function asText(head: Uint8Array): string {
  return Array.from(head, (byte) => String.fromCharCode(byte)).join("");
}

/** Returns true for text that begins like a JSON object or array. */
function isJson(text: string): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[\]{["\d])/.test(text);
}

/** Returns the name of the kind of data, judged by the extension of a file name; undefined if unknown. Ignores `.gz`. */
export function extensionName(name: string): string | undefined {
  const extension = /\.([a-z0-9]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}
