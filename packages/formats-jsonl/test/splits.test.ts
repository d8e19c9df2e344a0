import { expect, test } from "@jest/globals";
import { gzipSync } from "node:zlib";
import { plainRows, type PlainRow } from "@tfxio/arrow-encoding";
import type { ReadPlan, Split } from "@tfxio/format";
import { jsonl } from "@tfxio/formats-jsonl";
import { type ByteSource, bytesSource, Random } from "@tfxio/wire";

const encoder = new TextEncoder();

/** Returns JSON objects whose strings may contain brackets, and escaped line ends and quotes. */
function objectsOf(seed: number, numRows: number): string[] {
  const random = Random.of(seed, 3);
  return Array.from({ length: numRows }, (_, row) => {
    return JSON.stringify({ row, text: '\n]}\\"é'.repeat(random.below(8)), list: [[random.below(100)], []] });
  });
}

/** Returns a source that delivers chunks of `chunkBytes` bytes. */
function inChunks(bytes: Uint8Array, chunkBytes: number): ByteSource {
  const source = bytesSource(bytes, "chunks.json");
  return {
    uri: source.uri,
    slice: (start, end, options) => source.slice(start, end, options),
    async *stream({ start = 0 } = {}) {
      for (let at = start; at < bytes.length; at += chunkBytes) yield bytes.slice(at, at + chunkBytes);
    },
  };
}

async function planOf(source: ByteSource, request = {}): Promise<ReadPlan> {
  return (await jsonl.open([source])).plan(request);
}

async function rowsOf(plan: ReadPlan, splits: readonly Split[] = plan.splits): Promise<PlainRow[]> {
  const rows: PlainRow[] = [];
  for (const split of splits) for await (const batch of plan.read(split)) rows.push(...plainRows(batch));
  return rows;
}

test("lines and arrays yield the same rows in chunks of 1 to 1000 bytes", async () => {
  const objects = objectsOf(1, 20);
  const expected = objects.map((one) => JSON.parse(one) as PlainRow);
  for (const content of [objects.join("\r\n"), `\ufeff[ ${objects.join(" ,\n")}\n] \n`]) {
    const bytes = encoder.encode(content);
    for (const chunkBytes of [1, 2, 3, 7, 64, 1000]) {
      expect(await rowsOf(await planOf(inChunks(bytes, chunkBytes)))).toEqual(expected);
    }
  }
});

test("lines yield the same rows and positions with a `splitBytes` of 1 to 10,000", async () => {
  for (let seed = 0; seed < 20; seed++) {
    const objects = objectsOf(seed, 1 + 3 * seed);
    const content = objects.join(seed % 2 === 0 ? "\n" : "\r\n\n") + (seed % 3 === 0 ? "\n" : "");
    const source = bytesSource(encoder.encode(content), "lines.jsonl");
    const request = { rowPositionColumn: "at" };
    const whole = await rowsOf(await planOf(source, request));
    expect(whole.map(({ row }) => row)).toEqual(objects.map((_, row) => row));
    for (const splitBytes of [1, 10, 37, 100, 1000, 10_000]) {
      const plan = await planOf(source, { ...request, splitBytes });
      const parts = await plan.subdivide!(plan.splits[0]!);
      expect(await rowsOf(plan, parts)).toEqual(whole);
      expect(parts.reduce((sum, { numBytes = 0 }) => sum + numBytes, 0)).toBe(source.byteLength);
      if (splitBytes === 100 && seed > 5) expect(parts.length).toBeGreaterThan(3);
    }
  }
});

test.each([
  ["an array", encoder.encode(`[${objectsOf(1, 50).join(",\n")}]`)],
  ["a gzip file", new Uint8Array(gzipSync(objectsOf(1, 50).join("\n")))],
])("%s is not split", async (_, bytes) => {
  const plan = await planOf(bytesSource(bytes, "rows.json"), { splitBytes: 100 });
  const parts = await plan.subdivide!(plan.splits[0]!);
  expect(parts).toEqual(plan.splits);
  expect(await rowsOf(plan, parts)).toHaveLength(50);
});

test("splitting a file reads only the bytes around each boundary", async () => {
  const bytes = encoder.encode(objectsOf(1, 20_000).join("\n"));
  let numRead = 0;
  const source = bytesSource(bytes, "large.jsonl");
  const counted: ByteSource = {
    ...source,
    byteLength: bytes.length,
    uri: source.uri,
    async slice(start, end, options) {
      const found = await source.slice(start, end, options);
      numRead += found.length;
      return found;
    },
    async *stream(options) {
      for await (const chunk of source.stream(options)) {
        numRead += chunk.length;
        yield chunk;
      }
    },
  };
  const plan = await planOf(counted, { splitBytes: bytes.length / 4 });
  expect(await plan.subdivide!(plan.splits[0]!)).toHaveLength(4);
  expect(numRead).toBeLessThan(5 * 2 ** 16);
});
