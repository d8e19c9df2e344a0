import { isBytesType, isListType, valueKind } from "@tfxio/arrow-encoding";
import { SchemaError, UnsupportedError } from "@tfxio/wire";
import { unusableArgument } from "@tfxio/wire/checks";
import { DataType, type Field, type Schema as ArrowSchema } from "apache-arrow";
import { bytesOf } from "../dialect.js";
import type { CsvEncodeOptions } from "../encode-options.js";
import type { ColumnSyntax, ItemSyntax } from "./column-cells.js";
import { byteOf, cellQuoting, type EndCell } from "./quoting.js";

/** First byte of a UTF-8 byte order mark, which a reader would remove from the first record. */
const BYTE_ORDER_MARK = 0xef;

/**
 * Derives the writing rules of each column from the schema and the options.
 * @throws {ArgumentError} `invalid-argument` for options that do not match the columns or each other.
 * @throws {SchemaError} `schema-mismatch` (`duplicate-column`).
 * @throws {UnsupportedError} `unsupported` (`column-type`).
 */
export function columnSyntaxes(arrowSchema: ArrowSchema, options: CsvEncodeOptions): ColumnSyntax[] {
  const { fields } = arrowSchema;
  assertNamed("multivalentColumns", options.multivalentColumns, fields, isListOfValues, "a list column");
  assertNamed("base64Columns", options.base64Columns, fields, holdsBytes, "a column of bytes");
  assertMarkers(options);
  if (options.header) assertUnique(fields);
  return fields.map((field, index) => {
    assertWritable(field);
    const { nullMarkers, emptyListText } = options;
    const markers = emptyListText === null ? [...nullMarkers] : [...nullMarkers, emptyListText];
    // An empty cell without quotes would make the line blank, and readers skip blank lines or read them as null.
    if (fields.length === 1) markers.push("");
    return {
      field,
      nullText: nullMarkers[0],
      emptyListText,
      endCell: quotingOf(options, index, markers),
      inBase64: options.base64Columns.includes(field.name),
      items: options.multivalentColumns.includes(field.name) ? itemSyntax(options) : undefined,
    };
  });
}

/** Returns the quoting function for the name of column `index`. Empty names are quoted, so that they do not look missing. */
export function headerQuoting(options: CsvEncodeOptions, index: number): EndCell {
  return quotingOf(options, index, [""]);
}

function quotingOf(options: CsvEncodeOptions, index: number, markers: readonly string[]): EndCell {
  const comment = byteOf(options.comment);
  const leading = comment === undefined ? [BYTE_ORDER_MARK] : [BYTE_ORDER_MARK, comment];
  return cellQuoting(options, { markers: markers.map(bytesOf), leading: index === 0 ? leading : [] });
}

/**
 * Returns the rules for items of multivalent cells. An empty item is quoted, so that a list of one empty string differs from an
 * empty cell.
 */
function itemSyntax(options: CsvEncodeOptions): ItemSyntax {
  const { secondaryDelimiter, nullMarkers } = options;
  if (secondaryDelimiter === null) {
    throw unusableArgument(
      "multivalentColumns",
      "requires `secondaryDelimiter`, the text between the values of a cell",
    );
  }
  const dialect = { ...options, delimiter: secondaryDelimiter };
  const endItem = cellQuoting(dialect, { markers: ["", ...nullMarkers].map(bytesOf) });
  return { delimiter: bytesOf(secondaryDelimiter), endItem };
}

/** Checks the texts that stand for nulls and empty lists. They are written unquoted, but each must be read back as one cell. */
function assertMarkers(options: CsvEncodeOptions): void {
  const { delimiter, quote, escape, secondaryDelimiter, nullMarkers, emptyListText } = options;
  const special = [delimiter, quote, escape, secondaryDelimiter, "\r", "\n"];
  const written = { nullMarkers: nullMarkers[0], emptyListText };
  for (const [argument, text] of Object.entries(written)) {
    if (text == null) continue;
    const found = special.find((mark) => mark !== null && runsInto(text, mark));
    if (typeof found !== "string") continue;
    const quoted = JSON.stringify(found);
    const end = JSON.stringify(text.slice(startOf(text, found)));
    const problem = text.includes(found) ? `contain ${quoted}` : `end with ${end}, the start of ${quoted}`;
    throw unusableArgument(argument, `is written unquoted, so it must not ${problem}`, {
      at: argument === "nullMarkers" ? "[0]" : "",
    });
  }
}

/** True if the text, followed by `mark`, contains a `mark` that begins before the end of the text. */
function runsInto(text: string, mark: string): boolean {
  return startOf(text, mark) < text.length;
}

/** Appends `mark` to the text, and returns the index of the first `mark` in the result. */
function startOf(text: string, mark: string): number {
  return `${text}${mark}`.indexOf(mark);
}

function assertNamed(
  argument: string,
  names: readonly string[],
  fields: readonly Field[],
  fits: (field: Field) => boolean,
  expected: string,
): void {
  for (const [index, name] of names.entries()) {
    const field = fields.find((candidate) => candidate.name === name);
    if (field !== undefined && fits(field)) continue;
    const found = field === undefined ? "an unknown column" : `a column of type ${field.type}`;
    throw unusableArgument(argument, `must name ${expected}, found "${name}", ${found}`, {
      at: `[${index}]`,
    });
  }
}

function assertUnique(fields: readonly Field[]): void {
  const seen = new Set<string>();
  for (const { name } of fields) {
    if (!seen.has(name)) seen.add(name);
    else {
      throw new SchemaError(
        "schema-mismatch",
        `Two columns are named "${name}"; names in a header must be unique.`,
        {
          reason: "duplicate-column",
          columnPath: name,
        },
      );
    }
  }
}

function assertWritable(field: Field): void {
  const owners = [field, ...(isListType(field.type) ? field.type.children : [])];
  if (valueKind(itemType(field), owners) !== undefined) return;
  throw new UnsupportedError(
    `Column "${field.name}" is ${field.type}; CSV cells hold only numbers, text, bytes, booleans, dates, times, ` +
      "decimals, and dictionaries and lists of them.",
    { reason: "column-type", feature: `CSV cells of ${field.type}` },
  );
}

/** Returns the type of a column's values, whether single or in lists. */
function itemType({ type }: Field): DataType {
  return isListType(type) ? type.valueType : type;
}

function isListOfValues({ type }: Field): boolean {
  return isListType(type);
}

function holdsBytes(field: Field): boolean {
  const type = itemType(field);
  const values = DataType.isDictionary(type) ? (type.dictionary as DataType) : type;
  return isBytesType(values) || DataType.isFixedSizeBinary(values);
}
