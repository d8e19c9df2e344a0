import { describe, expect, test } from "@jest/globals";
import { plainRows, type PlainRow } from "@tfxio/arrow-encoding";
import { decodeRecords, type RecordsDecoder } from "@tfxio/format";
import { jsonPayload } from "@tfxio/formats-jsonl";
import { isTfxioError, Random } from "@tfxio/wire";
import { batchesOf, readRows } from "./read-rows.js";

// JSON.parse is the reference. Our reader must read the same rows, and reject everything that JSON.parse rejects. It may reject
// more, but only for the reasons in OWN_REJECTIONS.

/** Number of damaged lines to test. `pnpm check` uses a larger number. */
const numLines = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 10_000) / 4;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The kind of a value. All values of a column or list have the same kind. */
type Template =
  | { readonly kind: "int" | "float" | "text" | "bool" }
  | { readonly kind: "list"; readonly item: Template }
  | { readonly kind: "object"; readonly fields: readonly (readonly [string, Template])[] };

function templateOf(random: Random, depth: number): Template {
  const kinds = [
    "int",
    "float",
    "text",
    "bool",
    ...(depth > 0 ? (["list", "object"] as const) : []),
  ] as const;
  const kind = kinds[random.below(kinds.length)]!;
  if (kind === "list") return { kind, item: templateOf(random, depth - 1) };
  return kind === "object" ? objectTemplate(random, depth - 1) : { kind };
}

function objectTemplate(random: Random, depth: number): Template & { kind: "object" } {
  const numFields = random.below(6);
  const fields = Array.from({ length: numFields }, (_, index) => {
    return [`${nameOf(random)}${index}`, templateOf(random, depth)] as const;
  });
  return { kind: "object", fields };
}

const CHARACTERS = [
  "a",
  "Z",
  " ",
  "é",
  "日",
  "\u{1f389}",
  '"',
  "\\",
  "/",
  "\n",
  "\t",
  "\u0000",
  "\u007f",
  "\u2028",
  "]",
  "}",
  ",",
];

function nameOf(random: Random): string {
  return Array.from({ length: random.below(4) }, () => CHARACTERS[random.below(CHARACTERS.length)]).join("");
}

/** Returns the JSON of a string, with some characters escaped. */
function stringText(random: Random, text: string): string {
  const written = Array.from(
    JSON.stringify(text)
      .slice(1, -1)
      .matchAll(/\\u.{4}|\\.|[^\\]/gsu),
    ([one]) => {
      if (one.length > 2 || one.startsWith("\\") || random.below(4) > 0) return one;
      return Array.from({ length: one.length }, (_, at) => {
        const hex = one.charCodeAt(at).toString(16).padStart(4, "0");
        return `\\u${random.below(2) === 0 ? hex : hex.toUpperCase()}`;
      }).join("");
    },
  );
  return `"${written.join("")}"`;
}

function numberText(random: Random): string {
  const digits = (most: number): string => {
    return Array.from({ length: 1 + random.below(most) }, () => random.below(10)).join("");
  };
  const sign = random.below(3) === 0 ? "-" : "";
  const whole = String(BigInt(digits(random.below(5) === 0 ? 25 : 6)));
  const exponent = random.below(4) === 0 ? `e${["", "+", "-"][random.below(3)]}${digits(2)}` : "";
  return `${sign}${whole}.${digits(random.below(5) === 0 ? 25 : 6)}${exponent}`;
}

/** Returns the JSON of a random value that matches the template, or `null`. Adds white space at random. */
function textOf(random: Random, template: Template): string {
  const space = (): string => (random.below(8) === 0 ? [" ", "\t", "\r", "  "][random.below(4)]! : "");
  if (random.below(10) === 0) return "null";
  switch (template.kind) {
    case "int":
      return String(
        BigInt.asIntN(1 + random.below(64), BigInt(random.below(2 ** 32)) * BigInt(random.below(2 ** 32))),
      );
    case "float":
      return numberText(random);
    case "bool":
      return random.below(2) === 0 ? "true" : "false";
    case "text":
      return stringText(random, nameOf(random) + nameOf(random));
    case "list": {
      const items = Array.from(
        { length: random.below(4) },
        () => `${space()}${textOf(random, template.item)}${space()}`,
      );
      return `[${items.join(",")}]`;
    }
    case "object":
      return objectText(random, template, space);
  }
}

function objectText(random: Random, { fields }: Template & { kind: "object" }, space: () => string): string {
  const kept = fields.filter(() => random.below(6) > 0);
  const ordered = random.below(4) === 0 ? kept.toReversed() : kept;
  const members = ordered.map(([name, field]) => {
    return `${space()}${stringText(random, name)}${space()}:${space()}${textOf(random, field)}${space()}`;
  });
  return `{${members.join(",")}}`;
}

/** Removes members that are null, because Arrow does not distinguish them from absent members. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, comparable(member)]));
}

/** Parses the integers that `plainRows` returns as text, and rounds them as JSON.parse does. */
function rounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value === "string" && /^-?\d{16,}$/.test(value)) return Number(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]));
}

describe("the JSON reader", () => {
  test("reads the same rows as JSON.parse, from lines and from an array, in batches of several sizes", async () => {
    for (let seed = 0; seed < numLines / 100; seed++) {
      const random = Random.of(seed, 1);
      const template = objectTemplate(random, 3);
      const lines = Array.from({ length: 12 }, () => objectText(random, template, () => ""));
      const expected = lines.map((line) => comparable(JSON.parse(line)));
      for (const content of [lines.join("\n"), `[${lines.join(" ,\n")}]`]) {
        for (const batchSize of [1, 5, 100]) {
          const rows = await readRows(content, { request: { batchSize } });
          expect(rows.map((row) => comparable(rounded(row)))).toEqual(expected);
        }
      }
    }
  });

  test("rejects damaged lines that JSON.parse rejects, and any others only for documented reasons", async () => {
    const decoder = await decodeRecords(jsonPayload);
    let [numRead, numRejected] = [0, 0];
    for (let seed = 0; seed < numLines; seed++) {
      const random = Random.of(seed, 2);
      const template = objectTemplate(random, 2);
      const line = Buffer.from(objectText(random, template, () => ""));
      const bytes = damaged(random, line);
      // The container splits the file at line feeds, so the payload decoder never receives a line feed.
      if (bytes.includes(0x0a)) continue;
      const expected = parsed(bytes);
      const found = outcomeOf(decoder, bytes);
      if (typeof found === "string") {
        numRejected++;
        // The README lists input that JSON.parse accepts and we reject.
        if (expected !== undefined) expect(OWN_REJECTIONS).toContain(found);
      } else {
        numRead++;
        expect(comparable(rounded(found))).toEqual(comparable(expected));
      }
    }
    expect(numRead).toBeGreaterThan(numLines / 10);
    expect(numRejected).toBeGreaterThan(numLines / 4);
  });
});

const OWN_REJECTIONS = ["not-an-object", "wrong-kind", "integer-range", "lone-surrogate", "number-range"];

/** Returns a copy in which at most one byte is changed, removed or inserted. */
function damaged(random: Random, line: Uint8Array): Uint8Array {
  const bytes = [...line];
  const at = random.below(bytes.length);
  const likely = [...Buffer.from('{}[]",:\\u0123e+-.tfn ')];
  const byte = random.below(3) === 0 ? random.below(256) : likely[random.below(likely.length)]!;
  bytes.splice(at, random.below(2), ...(random.below(3) === 0 ? [] : [byte]));
  return Uint8Array.from(bytes);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}

/** Returns the row, or the reason why it was rejected. */
function outcomeOf(decoder: RecordsDecoder, bytes: Uint8Array): PlainRow | string {
  try {
    const [row] = plainRows(decoder.decode([bytes]).batch);
    return row ?? "no row";
  } catch (error) {
    if (isTfxioError(error) && error.reason !== undefined) return error.reason;
    throw error;
  }
}

describe.each([
  ["lines", '{"a":1,"b":["x","é"],"c":{"d":0.5}}\n{"a":-22,"c":{}}\n\n{"b":[],"c":null,"e":true}\n'],
  ["an array", '[{"a":1,"b":["x","é"],"c":{"d":0.5}} ,\n{"a":-22,"c":{}},{"b":[],"c":null,"e":true}]\n'],
])("the bytes of %s", (_, content) => {
  const whole = new TextEncoder().encode(content);
  const request = { batchSize: 1 };

  /** Returns the rows and, if a `TfxioError` follows, its code. Throws any other error. */
  async function readDamaged(bytes: Uint8Array): Promise<{ rows: PlainRow[]; code: string | undefined }> {
    const rows: PlainRow[] = [];
    try {
      for await (const batch of batchesOf(bytes, { request })) rows.push(...plainRows(batch));
      return { rows, code: undefined };
    } catch (error) {
      if (!isTfxioError(error)) throw error;
      return { rows, code: error.code };
    }
  }

  test("yield the first rows of the whole text if truncated, and an error if the second row is truncated", async () => {
    const { rows: all } = await readDamaged(whole);
    for (let length = 0; length < whole.length; length++) {
      const { rows, code } = await readDamaged(whole.subarray(0, length));
      expect(rows).toEqual(all.slice(0, rows.length));
      if (rows.length < 2 && length > 40) expect(code).toBeDefined();
    }
  });

  test("yield rows or a TfxioError if one bit is flipped", async () => {
    const codes = new Set<string | undefined>();
    for (let bit = 0; bit < 8 * whole.length; bit++) {
      const bytes = whole.slice();
      bytes[bit >> 3] = bytes[bit >> 3]! ^ (1 << (bit & 7));
      codes.add((await readDamaged(bytes)).code);
    }
    expect(codes).toContain("malformed-payload");
    expect(codes).toContain(undefined);
  });
});
