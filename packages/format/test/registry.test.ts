import { describe, expect, test } from "@jest/globals";
import {
  createFormatRegistry,
  defineFormat,
  type Format,
  type FormatSpec,
  isDelimitedText,
} from "@tfxio/format";
import { bytesSource, type ByteSource } from "@tfxio/wire";
import { gzipSync } from "node:zlib";

function format(id: string, changes: Partial<FormatSpec<object>> = {}): Format {
  return defineFormat({
    id,
    extensions: [`.${id}`],
    defaults: {},
    contractVersion: 2,
    open: async () => ({ plan: async () => ({ splits: [], async *read() {} }) }),
    ...changes,
  });
}

const magic = (word: string): Partial<FormatSpec<object>> => ({
  sniff: (head) => new TextDecoder().decode(head.subarray(0, word.length)) === word,
});

const named = (uri: string, content = ""): ByteSource => bytesSource(new TextEncoder().encode(content), uri);

describe("createFormatRegistry", () => {
  const csv = format("csv");
  const table = format("table", { extensions: [".csv.table", ".tbl"] });
  const magical = format("magical", { ...magic("MAGIC"), extensions: [] });
  const registry = createFormatRegistry(csv, table, magical);

  test("returns a registry that lists its formats and finds each format by id", () => {
    expect(registry.formats).toEqual([csv, table, magical]);
    expect(registry.get("table")).toBe(table);
  });

  test("names the known formats in the error for an unknown id", () => {
    expect(() => registry.get("parquet")).toThrow(
      expect.objectContaining({
        code: "unknown-format",
        reason: "unknown-id",
        message: expect.stringMatching(/"parquet".*csv, table, magical/),
      }),
    );
  });

  test("rejects two formats with the same id", () => {
    expect(() => createFormatRegistry(csv, format("csv"))).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "format-definition" }),
    );
  });

  test.each([{}, null, 5, "csv", [csv]])("rejects %j, which is not a format", (given) => {
    expect(() => createFormatRegistry(given as never)).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "format-definition" }),
    );
  });

  test("returns a registry whose detect rejects a value that is not a source", async () => {
    await expect(registry.detect("rows.csv" as never)).rejects.toMatchObject({ reason: "source-type" });
  });

  test.each([1, 3])("rejects a format with contract version %i", (contractVersion) => {
    expect(() => createFormatRegistry({ ...csv, contractVersion })).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "contract-version" }),
    );
  });
});

describe("format detection", () => {
  test("stops waiting for a stalled source when the signal is aborted", async () => {
    const stalled = new Promise<never>(() => {});
    const source: ByteSource = {
      uri: "stalled",
      slice: () => stalled,
      async *stream() {
        await stalled;
      },
    };
    const controller = new AbortController();
    const detecting = createFormatRegistry(format("csv")).detect(source, { signal: controller.signal });
    controller.abort("enough");
    await expect(detecting).rejects.toBe("enough");
  });

  const csv = format("csv");
  const table = format("table", { extensions: [".csv.table", ".table"] });
  const magical = format("magical", { ...magic("MAGIC"), extensions: [".rec"] });
  const mystic = format("mystic", { ...magic("MYSTIC"), extensions: [".rec"] });
  const registry = createFormatRegistry(csv, table, magical, mystic);

  test.each([
    ["data.csv", csv],
    ["/some/where/DATA.CSV", csv],
    ["data.csv.table", table],
    ["https://example.org/data.csv?version=3#top", csv],
    ["file:///a.table/data.csv", csv],
  ])("selects the format of %s by the extension", async (uri, expected) => {
    expect(await registry.detect(named(uri))).toBe(expected);
  });

  test("does not read a source whose extension only one format has", async () => {
    const source: ByteSource = {
      uri: "data.csv",
      slice: () => Promise.reject(new TypeError("read")),
      stream: () => {
        throw new TypeError("read");
      },
    };
    expect(await registry.detect(source)).toBe(csv);
  });

  test("uses the content to select one of several formats with the same extension", async () => {
    expect(await registry.detect(named("a.rec", "MAGIC and more"))).toBe(magical);
    expect(await registry.detect(named("a.rec", "MYSTIC and more"))).toBe(mystic);
  });

  test("selects the format by the first bytes if the name has no known extension", async () => {
    expect(await registry.detect(named("part-00000-of-00002", "MAGIC"))).toBe(magical);
  });

  test("decompresses gzip before it passes bytes to formats", async () => {
    const source = bytesSource(new Uint8Array(gzipSync("MAGIC".repeat(5000))), "part-0.gz");
    expect(await registry.detect(source)).toBe(magical);
  });

  test("passes at most 4096 bytes to each format", async () => {
    const lengths: number[] = [];
    const curious = format("curious", {
      sniff: (head) => {
        lengths.push(head.length);
        return head.length === 4096;
      },
    });
    await createFormatRegistry(curious).detect(named("a", "x".repeat(10_000)));
    expect(lengths).toEqual([4096]);
  });

  test("reports the first bytes, or that the source is empty, if no format matches", async () => {
    await expect(registry.detect(named("notes", "hello"))).rejects.toMatchObject({
      code: "unknown-format",
      reason: "undetected",
      message: expect.stringMatching(/notes .*68 65 6c 6c 6f.*csv, table, magical, mystic/),
    });
    await expect(registry.detect(named("notes"))).rejects.toMatchObject({
      code: "unknown-format",
      message: expect.stringContaining("empty"),
    });
  });

  test.each<[string, string, string | Uint8Array]>([
    ["Parquet", "a", "PAR1\x15\x04"],
    ["an Arrow IPC file (Feather V2)", "a", "ARROW1\0\0"],
    ["an Arrow IPC stream", "a", Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x10)],
    ["Feather V1", "a", "FEA1"],
    ["Avro", "a", "Obj\x01\x04\x14avro.codec"],
    ["ORC", "a", "ORC\x01"],
    ["zstd", "a.csv.zst", Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 4)],
    ["bzip2", "a", "BZh91AY"],
    ["a zip archive", "a", "PK\x03\x04"],
    ["gzip within gzip", "a", gzipSync(gzipSync("x"))],
    ["JSON", "a.txt", ' {"id": 1}\n{"id": 2}'],
    ["JSON", "a", "[1, 2]"],
    ["CSV", "a.txt", 'id,name\n1,"a, b"\n'],
    ["TSV", "a.gz", gzipSync("id\tname\n1\tb\n")],
  ])("reports that an unsupported file looks like %s (name: %s)", async (looks, name, content) => {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    await expect(
      createFormatRegistry(magical, mystic).detect(bytesSource(new Uint8Array(bytes), name)),
    ).rejects.toMatchObject({
      code: "unknown-format",
      reason: "undetected",
      message: `[unknown-format] ${name} looks like ${looks}, which no known format supports; known formats: magical, mystic.`,
    });
  });

  test.each([
    ["Parquet", "a.PARQUET", ""],
    ["JSON", "https://example.org/a.json.gz?x=1", "hello"],
  ])("reports that an unsupported file looks like %s, judging by its name", async (looks, name, content) => {
    await expect(createFormatRegistry(magical, mystic).detect(named(name, content))).rejects.toMatchObject({
      code: "unknown-format",
      reason: "undetected",
      message: `[unknown-format] By its name, ${name} looks like ${looks}, which no known format supports; known formats: magical, mystic.`,
    });
  });

  test("rejects a gzip extension for a format without gzip support", () => {
    const tables = format("tables", { extensions: [".tab"] });
    expect(() => createFormatRegistry(tables).named("rows.tab.gz")).toThrow(
      expect.objectContaining({
        code: "unknown-format",
        message: expect.stringContaining("files of the format tables must not be gzipped; omit .gz"),
      }),
    );
  });

  test("selects a likely format only if no format is certain and no second format is likely", async () => {
    const text = format("text", { sniff: () => "likely" });
    const other = format("other", { sniff: () => "likely" });
    expect(await createFormatRegistry(text, magical).detect(named("a", "MAGIC"))).toBe(magical);
    expect(await createFormatRegistry(text, magical).detect(named("a", "none"))).toBe(text);
    await expect(createFormatRegistry(text, other).detect(named("a", "none"))).rejects.toMatchObject({
      reason: "ambiguous",
    });
  });

  test("names the likely format of a target whose extension no format has", () => {
    expect(() => createFormatRegistry(magical).named("out.parquet")).toThrow(
      "By its name, out.parquet looks like Parquet",
    );
  });

  test("rejects as ambiguous a source that several formats match", async () => {
    await expect(registry.detect(named("a.rec", "neither"))).rejects.toMatchObject({
      code: "unknown-format",
      reason: "ambiguous",
      message: expect.stringContaining("magical, mystic"),
    });
    const alike = format("alike", magic("MAGIC"));
    await expect(createFormatRegistry(magical, alike).detect(named("a", "MAGIC"))).rejects.toMatchObject({
      reason: "ambiguous",
      message: expect.stringContaining("magical, alike"),
    });
  });

  test("throws the reason of a signal that is already aborted", async () => {
    const signal = AbortSignal.abort("enough");
    await expect(registry.detect(named("a.csv"), { signal })).rejects.toBe("enough");
  });
});

describe("isDelimitedText", () => {
  test.each<[string, string, boolean]>([
    ["a,b\n1,2", ",", true],
    ["a,b\r\n1,2\r\n", ",", true],
    ['\uFEFF"a, b",c\n"1 ""one""\n, 2",3\n', ",", true],
    ['a,b\n1,"cut off', ",", false],
    ['a,b\n1,2\n3,"cut off, ', ",", true],
    ["a\tb\n1\t2\n", "\t", true],
    ["a,b\n1,2,3\n", ",", false],
    ["a\nb\n", ",", false],
    ["one, line\n", ",", false],
    ["Dear reader,\nthis is a letter, and no table, of course.\n", ",", false],
    ['{"a":1,"b":2}\n{"a":3,"b":4}\n', ",", false],
    ['[{"a":1},\n{"a":2}]\n', ",", false],
    ["a,b\n\0,2\n", ",", false],
    ["", ",", false],
  ])("given %j and the delimiter %j, returns %j", (text, delimiter, expected) => {
    expect(isDelimitedText(new TextEncoder().encode(text), delimiter)).toBe(expected);
  });

  test("returns true for the first 4096 bytes of a longer table", () => {
    const longer = new TextEncoder().encode(`a,b\n${"1,2\n".repeat(2000)}`);
    expect(isDelimitedText(longer.subarray(0, 4096), ",")).toBe(true);
  });
});
