import type { RecordBatch } from "apache-arrow";
import { check } from "./check.js";
import type { FixtureRow, FixtureValue } from "./fixture.js";

/** Copies the rows of a batch as plain data. Null cells are omitted. */
export function rowsOf(batch: RecordBatch): FixtureRow[] {
  const rows: Record<string, FixtureValue>[] = Array.from({ length: batch.numRows }, () => ({}));
  batch.schema.fields.forEach((field, position) => {
    const column = batch.getChildAt(position);
    check(column !== null, `column "${field.name}" of the batch's schema has no data`);
    rows.forEach((row, index) => {
      const value = toPlain(column.get(index));
      if (value !== null) row[field.name] = value;
    });
  });
  return rows;
}

/** Checks that two lists of rows are equal. @throws {CheckFailure} for the first cell that differs. */
export function checkRows(
  actual: readonly FixtureRow[],
  expected: readonly FixtureRow[],
  what: string,
): void {
  check(
    actual.length === expected.length,
    `${what}: expected ${expected.length} rows, found ${actual.length}`,
  );
  expected.forEach((row, index) => {
    const found = actual[index] ?? {};
    for (const name of new Set([...Object.keys(row), ...Object.keys(found)])) {
      const [have, want] = [found[name] ?? null, row[name] ?? null];
      check(
        isSame(have, want),
        `${what}: row ${index}, column "${name}": expected ${show(want)}, found ${show(have)}`,
      );
    }
  });
}

/** Returns whether both rows have the same cells. An omitted cell equals null. */
export function isEqualRow(left: FixtureRow, right: FixtureRow): boolean {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => isSame(left[name] ?? null, right[name] ?? null));
}

/**
 * Removes empty structs from rows. In a read without a schema, a batch has a struct column only if a row of the batch has a
 * field in that column. The other rows of the batch then have an empty struct. So whether a row has an empty struct depends on
 * the batch size.
 */
export function withoutEmptyStructs(rows: readonly FixtureRow[]): FixtureRow[] {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, cell]) => !isEmptyStruct(cell))),
  );
}

export function withoutColumn(rows: readonly FixtureRow[], name: string): FixtureRow[] {
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([other]) => other !== name)));
}

export function projectRows(rows: readonly FixtureRow[], names: readonly string[]): FixtureRow[] {
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name))));
}

/** Returns the names of the columns that occur in `rows`, sorted. */
export function columnNames(rows: readonly FixtureRow[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))].sort();
}

/** Converts an Arrow value to plain data. Avoids `instanceof`, because the value may come from another copy of apache-arrow. */
function toPlain(value: unknown): FixtureValue {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return value as FixtureValue;
  if (ArrayBuffer.isView(value)) return (value as Uint8Array).slice();
  if ("get" in value && "length" in value) {
    const vector = value as { readonly length: number; get(index: number): unknown };
    return Array.from({ length: vector.length }, (_, index) => toPlain(vector.get(index)));
  }
  const fields = Object.entries((value as { toJSON(): Record<string, unknown> }).toJSON());
  return Object.fromEntries(fields.map(([name, field]) => [name, toPlain(field)]));
}

/** Returns whether the cell `have` equals the expected cell `want`, by the rules of {@link FixtureValue}. */
function isSame(have: FixtureValue, want: FixtureValue): boolean {
  if (typeof want === "string" && isBytes(have)) return isSame(have, new TextEncoder().encode(want));
  if (isBytes(want) && isBytes(have)) {
    return have.length === want.length && want.every((byte, index) => byte === have[index]);
  }
  if (typeof want === "number") {
    if (typeof have === "bigint") return Number.isInteger(want) && BigInt(want) === have;
    return Object.is(have, want) || Object.is(have, Math.fround(want));
  }
  if (Array.isArray(want)) {
    return (
      Array.isArray(have) &&
      have.length === want.length &&
      want.every((item, index) => isSame(have[index], item))
    );
  }
  if (typeof want === "object" && want !== null && typeof have === "object" && have !== null) {
    const [left, right] = [have as FixtureRow, want as FixtureRow];
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...names].every((name) => isSame(left[name] ?? null, right[name] ?? null));
  }
  return Object.is(have, want);
}

function isBytes(value: FixtureValue): value is Uint8Array {
  return ArrayBuffer.isView(value);
}

function show(value: FixtureValue): string {
  if (isBytes(value)) return `bytes [${value.join(" ")}]`;
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "bigint" || typeof item === "number" ? String(item) : item,
  );
}

function isEmptyStruct(value: FixtureValue): boolean {
  if (typeof value !== "object" || value === null || isBytes(value) || Array.isArray(value)) return false;
  return Object.values(value as FixtureRow).every((field) => field === null || isEmptyStruct(field));
}
