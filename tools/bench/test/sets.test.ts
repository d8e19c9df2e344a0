import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fromBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { exampleDescriptor } from "../src/decode/peers/example-descriptor.js";
import { batchRowsOf } from "../src/decode/subject.js";
import { tfRecordPayloads } from "../src/decode/tf-record-payloads.js";
import { allSets } from "../src/sets/all-sets.js";
import type { BenchSet } from "../src/sets/bench-set.js";
import { generateSet } from "../src/sets/generate.js";
import { ReverseWriter } from "../src/sets/reverse-writer.js";

interface ExampleObject {
  features: { feature: Record<string, { kind: { case?: string; value?: { value: ArrayLike<unknown> } } }> };
}
const cases = { bytes: "bytesList", float: "floatList", int64: "int64List" } as const;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tfxio-bench-"));
});
afterAll(async () => rm(folder, { recursive: true }));

async function examples(set: BenchSet, numBytes = 200_000): Promise<ExampleObject[]> {
  const file = await generateSet(set, numBytes, folder);
  const descriptor = exampleDescriptor();
  return Array.from(
    tfRecordPayloads(await readFile(file.path)),
    (payload) => fromBinary(descriptor, payload) as unknown as ExampleObject,
  );
}
const setNamed = (name: string): BenchSet => allSets.find((set) => set.name === name) as BenchSet;

describe("the generated set", () => {
  test.each(allSets.map((set) => [set.name, set] as const))(
    "%s has the same bytes every time",
    async (_, set) => {
      const first = await generateSet(set, 50_000, path.join(folder, "first"));
      const second = await generateSet(set, 50_000, path.join(folder, "second"));
      const bytes = await readFile(first.path);
      expect(bytes.equals(await readFile(second.path))).toBe(true);
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(first.sha256);
      expect(bytes.length).toBe(first.numBytes);
      expect(Array.from(tfRecordPayloads(bytes)).length).toBe(first.numRecords);
    },
  );

  test("wide_tail has the same records as the set wide, but in batches of different sizes", async () => {
    const [whole, tail] = [setNamed("wide"), setNamed("wide_tail")];
    expect((await generateSet(tail, 50_000, folder)).path).toBe(
      (await generateSet(whole, 50_000, folder)).path,
    );
    expect(batchRowsOf(whole)).toEqual([4096]);
    expect(batchRowsOf(tail)).toEqual([4096, 1772]);
  });

  test("taxi at a larger size begins with all bytes of the smaller set", async () => {
    const small = await readFile((await generateSet(setNamed("taxi"), 20_000, folder)).path);
    const large = await readFile((await generateSet(setNamed("taxi"), 60_000, folder)).path);
    expect(large.subarray(0, small.length).equals(small)).toBe(true);
  });

  test.each(allSets.filter((set) => set.payload === "example").map((set) => [set.name, set] as const))(
    "%s contains exactly the features that it lists, with the listed kinds and lengths",
    async (_, set) => {
      const columns = new Map(set.columns.map((column) => [column.name, column]));
      const seen = new Set<string>();
      const unexpected: string[] = [];
      for (const { features } of await examples(set)) {
        for (const [name, { kind }] of Object.entries(features.feature)) {
          seen.add(name);
          const column = columns.get(name);
          const length = kind.value?.value.length;
          if (column === undefined) unexpected.push(name);
          else if (kind.case !== undefined && kind.case !== cases[column.kind])
            unexpected.push(`${name}: ${kind.case}`);
          else if (column.fixedLength !== undefined && column.fixedLength !== length)
            unexpected.push(`${name}: ${length}`);
        }
      }
      expect(unexpected).toEqual([]);
      expect([...seen].sort()).toEqual([...columns.keys()].sort());
    },
  );

  test("criteo has one order of features, while criteo_shuf shuffles the features and omits some", async () => {
    const orders = (objects: ExampleObject[]): Set<string> =>
      new Set(objects.map(({ features }) => Object.keys(features.feature).join()));
    expect(orders(await examples(setNamed("criteo"))).size).toBe(1);
    const shuffled = await examples(setNamed("criteo_shuf"));
    expect(orders(shuffled).size).toBe(shuffled.length);
    const present = shuffled.reduce((sum, { features }) => sum + Object.keys(features.feature).length, 0);
    expect(present / shuffled.length / 40).toBeCloseTo(0.95, 1);
  });

  test("taxi has absent features, features without a kind, and empty lists", async () => {
    const objects = await examples(setNamed("taxi"));
    const kinds = objects.map(({ features }) => features.feature.company?.kind);
    expect(kinds.some((kind) => kind === undefined)).toBe(true);
    expect(kinds.some((kind) => kind !== undefined && kind.case === undefined)).toBe(true);
    expect(kinds.some((kind) => kind?.value?.value.length === 0)).toBe(true);
    expect(kinds.some((kind) => kind?.value?.value.length === 1)).toBe(true);
  });

  test("ragged has lists of 0 to 50 values, with integers above 2^62 in the last column", async () => {
    const objects = await examples(setNamed("ragged"), 1_000_000);
    const lists = objects.map(({ features }) => features.feature.ids_9?.kind.value?.value ?? []);
    expect(Math.min(...lists.map((list) => list.length))).toBe(0);
    expect(Math.max(...lists.map((list) => list.length))).toBe(50);
    const largest = lists
      .flatMap((list) => Array.from(list as ArrayLike<bigint>))
      .reduce((a, b) => (a > b ? a : b));
    expect(largest).toBeGreaterThan(2n ** 62n);
  });
});

describe("ReverseWriter", () => {
  // Expected bytes are derived by hand from the documentation of the encoding: 7 bits per byte, least significant first.
  test("writes varints of one to ten bytes", () => {
    const written = (write: (writer: ReverseWriter) => void): string => {
      const writer = new ReverseWriter(16);
      write(writer);
      return Buffer.from(writer.message()).toString("hex");
    };
    expect(written((writer) => writer.varint(0))).toBe("00");
    expect(written((writer) => writer.varint(127))).toBe("7f");
    expect(written((writer) => writer.varint(300))).toBe("ac02");
    expect(written((writer) => writer.varint(2 ** 35))).toBe("808080808001");
    expect(written((writer) => writer.varint64(0, 300))).toBe("ac02");
    expect(written((writer) => writer.varint64(0x7fff_ffff, 0xffff_ffff))).toBe("ffffffffffffffff7f");
    expect(written((writer) => writer.varint64(-1, -1))).toBe("ffffffffffffffffff01");
  });
});
