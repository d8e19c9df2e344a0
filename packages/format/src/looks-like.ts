import { SNIFF_BYTES } from "./sniff-result.js";

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

/** Lines of a table that are compared. */
const MAX_TABLE_LINES = 20;
const MIN_TABLE_LINES = 2;

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
  const text = asText(head);
  const known = SIGNATURES.find(([signature]) => text.startsWith(signature));
  if (known !== undefined) return known[1];
  if (isJson(text)) return "JSON";
  return isDelimitedText(head, "\t") ? "TSV" : isDelimitedText(head, ",") ? "CSV" : undefined;
}

/**
 * True for text that is likely a table: of its first lines each has as many cells as the first one, and at least two. Cells in
 * quotes may hold more delimiters and line ends. JSON is no table.
 * @param head the first bytes of a file, all of them where there are fewer than 4096: else the last line may be cut off.
 * @param delimiter one character.
 */
export function isDelimitedText(head: Uint8Array, delimiter: string): boolean {
  const text = asText(head).replace(/^\xef\xbb\xbf/, "");
  // Control characters other than tab, line feed and carriage return are in no text.
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f]/.test(text) || isJson(text)) return false;
  // A cell in quotes without its end is cut off, and its line with it.
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

/** One character a byte. */
function asText(head: Uint8Array): string {
  return Array.from(head, (byte) => String.fromCharCode(byte)).join("");
}

/** True for what begins like an object, or like an array. */
function isJson(text: string): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[\]{["\d])/.test(text);
}

/** The same by the end of a file's name. */
export function extensionName(name: string): string | undefined {
  const extension = /\.([a-z0-9]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}
