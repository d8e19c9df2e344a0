import { describe, expect, test } from "@jest/globals";
import { plainRows } from "@tfxio/arrow-encoding";
import { type CsvColumnType, type CsvOptions, csv } from "@tfxio/formats-csv";
import { ColumnPath } from "@tfxio/schema";
import { bytesSource, isTfxioError } from "@tfxio/wire";
import {
  type DialectGolden,
  dialectGoldens,
  type GoldenText,
  goldenBytes,
  plainCell,
} from "./dialect-goldens.js";

/** Texts that we deliberately read differently from pyarrow, and our results. docs/formats/csv.md gives the reasons. */
const DECIDED: Readonly<Record<string, readonly (readonly unknown[])[] | "rejected">> = {
  // A file without rows is read as an empty table if its columns are known.
  only_header_no_newline: [],
  no_header_empty: [],
  // Every quote must be closed.
  quote_unclosed_last: "rejected",
  // A character must not have two roles.
  delim_quote: "rejected",
  // There is no option that skips rows after the header.
  skip_rows_after_names: [
    ["1", "2"],
    ["3", "4"],
  ],
  // Hexadecimal numbers and NaNs with payloads are text, which does not fit a column of numbers.
  col_hex: "rejected",
  col_nan_payload: "rejected",
  // Bytes stay as they are, whatever their encoding.
  latin1_declared: [[undefined, "1"]],
  // An unknown column is rejected, even where pyarrow can add a column of nulls.
  pa_include_missing: "rejected",
  // There is no int8.
  pa_column_types_error: [["300"]],
};

// pyarrow's default for ConvertOptions.null_values.
const NULL_VALUES = [
  ..."#N/A,#N/A N/A,#NA,-1.#IND,-1.#QNAN,-NaN,-nan,1.#IND,1.#QNAN,N/A,NA,NULL,NaN,n/a,nan,null".split(","),
  "",
];
const OUR_TYPES: Readonly<Record<string, CsvColumnType>> = { int64: "int", double: "float" };

/** Converts pyarrow's options to ours, except for column types. */
function optionsOf({ pyarrowOptions, header, pyarrow }: DialectGolden): Partial<CsvOptions> {
  const { read = {}, parse = {} } = pyarrowOptions;
  const numColumns = pyarrow.schema?.length ?? 2;
  return {
    nullMarkers: NULL_VALUES,
    onBadName: "number",
    multiline: true,
    skipBlankLines: parse["ignore_empty_lines"] !== false,
    ...(!header && { columnNames: Array.from({ length: numColumns }, (_, index) => `f${index}`) }),
    ...("column_names" in read && { columnNames: read["column_names"] as string[] }),
    ...("skip_rows" in read && { skipLines: read["skip_rows"] as number }),
    ...("delimiter" in parse && { delimiter: parse["delimiter"] as string }),
    ...("quote_char" in parse && {
      quote: parse["quote_char"] === false ? null : (parse["quote_char"] as string),
    }),
    ...("double_quote" in parse && { doubledQuote: parse["double_quote"] as boolean }),
    ...("escape_char" in parse && { escape: parse["escape_char"] as string }),
    ...(pyarrowOptions.skip_invalid === true && { onBadRow: "skip" as const }),
  };
}

/** Returns the rows of a text in file order. Each column has the type that `typeOf` returns for pyarrow's type. */
async function ourRows(
  golden: DialectGolden,
  options: Partial<CsvOptions>,
  typeOf: (pyarrowType: string) => CsvColumnType,
): Promise<unknown[][]> {
  const source = bytesSource(goldenBytes(golden), "data.csv");
  const asked = golden.pyarrowOptions.convert?.["include_columns"] as string[] | undefined;
  const request = asked && { columns: asked.map((name) => ColumnPath.of(name)) };
  // pyarrow allows repeated names. Here they are numbered.
  const inferring = await csv.open([source], { options });
  const inferred = (await inferring.plan(request)).arrowSchema?.fields.map(({ name }) => name) ?? [];
  const names = asked ?? inferred;
  const fields = golden.pyarrow.schema ?? [];
  const types = Object.fromEntries(
    inferred.map((name) => [name, typeOf(fields[names.indexOf(name)]?.type ?? "")]),
  );
  const reader = await csv.open([source], { options: { ...options, types } });
  const plan = await reader.plan(request);
  const rows: unknown[][] = [];
  for (const split of plan.splits) {
    for await (const batch of plan.read(split)) {
      for (const row of plainRows(batch)) {
        rows.push(names.map((name) => (row[name] as readonly unknown[] | null)?.[0] ?? null));
      }
    }
  }
  return rows;
}

/**
 * Reads a text with pyarrow's options. Columns that are neither int64 nor double in pyarrow are read as text. Returns comparable
 * cells or "rejected".
 */
async function ourAnswer(golden: DialectGolden): Promise<unknown> {
  const fields = golden.pyarrow.schema ?? [];
  const textCanBeNull = golden.pyarrowOptions.convert?.["strings_can_be_null"] === true;
  try {
    const options = optionsOf(golden);
    const withNulls = await ourRows(golden, options, (type) => OUR_TYPES[type] ?? "bytes");
    const asText = textCanBeNull
      ? withNulls
      : await ourRows(golden, { ...options, nullMarkers: [] }, () => "bytes");
    return withNulls.map((row, index) =>
      row.map((cell, column) => {
        const type = fields[column]?.type ?? "string";
        const isText = type === "string" || type === "binary";
        return comparable(isText ? asText[index]?.[column] : cell, type);
      }),
    );
  } catch (error) {
    if (!isTfxioError(error)) throw error;
    return "rejected";
  }
}

/** Converts a value, either ours or pyarrow's, to a comparable form. All dates and times become equal, but differ from null. */
function comparable(value: unknown, type: string): unknown {
  if (value === null) return null;
  if (type === "bool") return ["true", "1"].includes(String(value).toLowerCase());
  if (/^(timestamp|date|time)/.test(type)) return "a time";
  if (type === "double") return Math.fround(Number(specialValue(value)));
  if (type === "int64") return String(specialValue(value));
  if (type === "binary") return Buffer.from(bytesOf(value)).toString("hex");
  return plainCell(value as GoldenText);
}

/** Decodes a golden value that is an object. The README of the goldens defines the form. */
function specialValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("$int" in value) return value.$int;
  if ("$num" in value) return value.$num;
  return value;
}

/** Returns the bytes of a binary value. Our values are text if they are UTF-8. All others, and pyarrow's values, are base64. */
function bytesOf(value: unknown): Uint8Array {
  if (typeof value === "string") return Buffer.from(value);
  const { $bytes, base64 } = value as { readonly $bytes?: string; readonly base64?: string };
  return Buffer.from($bytes ?? base64 ?? "", "base64");
}

(dialectGoldens.length > 0 ? describe : describe.skip)("the golden text", () => {
  test.each(dialectGoldens.map((golden) => [golden.id, golden] as const))(
    "%s is read as in pyarrow, unless a difference is documented",
    async (id, golden) => {
      const { schema = [], rows } = golden.pyarrow;
      const theirs =
        rows?.map((row) => row.map((cell, column) => comparable(cell, schema[column]?.type ?? ""))) ??
        "rejected";
      const ours = await ourAnswer(golden);
      expect(ours).toEqual(DECIDED[id] ?? theirs);
      if (id in DECIDED) expect(ours).not.toEqual(theirs);
    },
  );
});
