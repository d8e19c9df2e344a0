import { describe, expect, test } from "@jest/globals";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { plainRows, type PlainRow } from "@tfxio/arrow-encoding";
import type { TfxioError } from "@tfxio/wire";
import { batchesOf, readError, readRows } from "./read-rows.js";

// Results of Python's json.loads for each line of 53 texts. The texts were selected by hash from a larger set. The README of the
// folder describes how the values are written.
const folder = path.resolve(import.meta.dirname, "../../../../shared/goldens/jsonl");

type Golden =
  | null
  | boolean
  | number
  | string
  | readonly Golden[]
  | { readonly $object: readonly (readonly [name: string, value: Golden])[] }
  | { readonly $int: string }
  | { readonly $float: string }
  | { readonly $num: string }
  | { readonly $utf16: readonly number[] };

interface GoldenCase {
  readonly id: string;
  readonly file: string;
  readonly rows?: readonly { readonly line: number; readonly value: Golden }[];
  readonly expect?: "error";
  readonly error?: { readonly line: number };
  readonly rowsBefore?: readonly unknown[];
}

/** Files that we deliberately read differently. {@link rejectionsOf} finds differences in single values. */
const DIFFERENCES: Readonly<Record<string, readonly PlainRow[]>> = {
  // A byte order mark at the start is removed.
  bom: [{ a: 1 }, { a: 2 }],
  // The file is a single JSON array, which `layout: "auto"` reads.
  array_of_lines: [{ a: 1 }, { a: 2 }],
};

/** Returns the reasons why Arrow or RFC 8259 cannot represent a value that Python reads, one for each rejected part. */
function rejectionsOf(value: Golden): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    const kinds = new Set(value.map(kindOf).filter((kind) => kind !== "null"));
    return [...value.flatMap(rejectionsOf), ...(kinds.size > 1 ? ["wrong-kind"] : [])];
  }
  if ("$object" in value) return value.$object.flatMap(([, member]) => rejectionsOf(member));
  if ("$int" in value) {
    const integer = BigInt(value.$int);
    return BigInt.asIntN(64, integer) === integer ? [] : ["integer-range"];
  }
  if ("$num" in value) return value.$num === "-0" ? [] : ["non-finite"];
  return "$utf16" in value ? ["lone-surrogate"] : [];
}

function kindOf(value: Golden): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value !== "object") return typeof value;
  return "$object" in value ? "object" : "$utf16" in value ? "string" : "number";
}

/** Returns the value as `plainRows` does, without null members, because Arrow cannot distinguish them from absent members. */
function plainOf(value: Golden): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plainOf);
  if ("$object" in value)
    return withoutNulls(Object.fromEntries(value.$object.map(([name, member]) => [name, plainOf(member)])));
  if ("$int" in value) return value.$int;
  if ("$float" in value) return Number(value.$float);
  return "$num" in value ? Number(value.$num) : undefined;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

const isPresent = existsSync(folder);
const cases = isPresent
  ? (
      JSON.parse(readFileSync(path.join(folder, "jsonl.json"), "utf8")) as {
        readonly cases: readonly GoldenCase[];
      }
    ).cases
  : [];
const contentOf = ({ file }: GoldenCase): Uint8Array => readFileSync(path.join(folder, file));
/** Splits lines as the Python script does: only at LF. */
const linesOf = (one: GoldenCase): string[] =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(contentOf(one)).split("\n");
const oneByOne = { request: { batchSize: 1 } };

(isPresent ? describe : describe.skip)("goldens of Python's json", () => {
  const read = cases.filter(({ rows }) => rows !== undefined);
  const rejected = cases.filter(({ id, expect: expected }) => expected === "error" && !(id in DIFFERENCES));

  test("are 53 texts, each of which is read, rejected or documented as a difference", () => {
    expect(cases.length).toBe(53);
    expect(read.length + rejected.length + Object.keys(DIFFERENCES).length).toBe(53);
  });

  test.each(read)(
    "include $id, whose values are read as in Python, or rejected for a known reason",
    async (one) => {
      const lines = linesOf(one);
      for (const { line, value } of one.rows ?? []) {
        const wrapped = `{"v":${lines[line - 1]}}`;
        const reasons = rejectionsOf(value);
        if (reasons.length === 0) {
          const [row] = await readRows(wrapped);
          expect(withoutNulls(row)).toEqual(withoutNulls({ v: plainOf(value) }));
        } else {
          expect(reasons).toContain((await readError(wrapped)).reason);
        }
      }
    },
  );

  test.each(read)(
    "include $id, whose rows are read as in Python, up to the first unsupported value",
    async (one) => {
      const rows = one.rows ?? [];
      const isRow = ({ value }: { readonly value: Golden }): boolean =>
        Object(value) === value && "$object" in (value as object);
      const numRead = rows.findIndex((row) => !isRow(row) || rejectionsOf(row.value).length > 0);
      const expected = numRead < 0 ? rows : rows.slice(0, numRead);
      const found: PlainRow[] = [];
      let error: unknown;
      try {
        for await (const batch of batchesOf(contentOf(one), oneByOne)) found.push(...plainRows(batch));
      } catch (caught) {
        error = caught;
      }
      expect(found.map(withoutNulls)).toEqual(expected.map(({ value }) => plainOf(value)));
      const names = expected.map(({ value }) =>
        (value as { $object: [string, Golden][] }).$object.map(([name]) => name),
      );
      expect(found.map((row) => Object.keys(row))).toEqual(names);
      if (numRead < 0) {
        expect(error).toBeUndefined();
        return;
      }
      const { line } = rows[numRead]!;
      expect(error).toMatchObject({ uri: "rows.jsonl", recordIndex: line - 1 });
    },
  );

  test.each(rejected)("include $id, which is rejected on the same line as in Python", async (one) => {
    let numRows = 0;
    let error: TfxioError | undefined;
    try {
      for await (const batch of batchesOf(contentOf(one), oneByOne)) numRows += batch.numRows;
    } catch (caught) {
      error = caught as TfxioError;
    }
    expect(error).toMatchObject({
      code: "malformed-payload",
      uri: "rows.jsonl",
      recordIndex: one.error!.line - 1,
    });
    expect(numRows).toBe(one.rowsBefore!.length);
  });

  test.each(Object.entries(DIFFERENCES))(
    "include %s, which we read although Python rejects it",
    async (id, rows) => {
      expect(await readRows(contentOf(cases.find((one) => one.id === id)!))).toEqual(rows);
    },
  );

  test("include nested_20000, whose list is nested too deeply to be read as a value in a row", async () => {
    const [, deep] = linesOf(cases.find(({ id }) => id === "nested_20000")!);
    expect(await readError(`{"v":${deep}}`)).toMatchObject({
      code: "limit-exceeded",
      reason: "nesting-depth",
    });
  });

  test('include nan_literals, which `nonFinite: "accept"` reads as Python does', async () => {
    const content = contentOf(cases.find(({ id }) => id === "nan_literals")!);
    const named = { a: "NaN", b: "Infinity", c: "-Infinity" };
    expect(await readRows(content, { options: { nonFinite: "accept" } })).toEqual([named]);
  });
});
