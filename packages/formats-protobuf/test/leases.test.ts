import { describe, expect, test } from "@jest/globals";
import { isLendingPlan, type LendingPlan, type LentBatch, type ReadRequest } from "@tfxio/format";
import { protobuf, type ProtobufOptions } from "@tfxio/formats-protobuf";
import { bytesSource } from "@tfxio/wire";
import type { Data, RecordBatch } from "apache-arrow";
import { plainRows } from "./rows.js";
import { delimited, message, sampleType } from "./sample.js";

const row = await sampleType();
/** Records with numbers, text and messages. Every third record lacks the text. */
const records = Array.from({ length: 60 }, (_, index) =>
  message([
    [1, index],
    ...(index % 3 === 0 ? [] : ([[2, `name ${index}`]] as const)),
    [
      4,
      [
        [1, index],
        [2, "tag"],
      ],
    ],
    [6, [[1, "count"]]],
  ]),
);
const file = delimited(records);

async function planOf(
  request: ReadRequest = {},
  options: Partial<ProtobufOptions> = {},
): Promise<LendingPlan> {
  const reader = await protobuf.open([bytesSource(file, "rows.pbd")], { options: { ...row, ...options } });
  const plan = await reader.plan({ batchSize: 10, ...request });
  if (!isLendingPlan(plan)) throw new TypeError("the plan does not lend batches");
  return plan;
}

async function leasesOf(plan: LendingPlan, use: (lease: LentBatch) => void): Promise<void> {
  for await (const lease of plan.readLeased(plan.splits[0]!)) use(lease);
}

async function ownedRows(plan: LendingPlan): Promise<object[]> {
  const rows: object[] = [];
  for await (const batch of plan.read(plan.splits[0]!)) rows.push(...plainRows(batch));
  return rows;
}

/** Returns all non-empty typed arrays of a batch. */
function arraysOf(batch: RecordBatch): Uint8Array[] {
  const ofData = ({ buffers, children }: Data): ArrayBufferView[] => [
    ...Object.values(buffers as object).filter((array) => ArrayBuffer.isView(array) && array.byteLength > 0),
    ...children.flatMap(ofData),
  ];
  return ofData(batch.data) as Uint8Array[];
}

describe("leased batches of messages", () => {
  test.each<[string, ReadRequest, Partial<ProtobufOptions>]>([
    ["", {}, {}],
    [" with raw records", { rawRecordColumn: "raw" }, {}],
    [" with 64-bit offsets", { rawRecordColumn: "raw" }, { listType: "large" }],
    [" with defaults for absent fields", {}, { implicitDefaults: true }],
  ])("have the same rows as owned batches%s", async (_, request, options) => {
    const plan = await planOf(request, options);
    const rows: object[] = [];
    await leasesOf(plan, ({ batch, release }) => {
      rows.push(...plainRows(batch));
      release();
    });
    expect(rows).toHaveLength(60);
    expect(rows).toEqual(await ownedRows(plan));
  });

  test("have only empty arrays after release, even if release is called twice", async () => {
    const plan = await planOf({ rawRecordColumn: "raw" }, { listType: "large" });
    await leasesOf(plan, ({ batch, release }) => {
      const arrays = arraysOf(batch);
      expect(arrays.length).toBeGreaterThan(10);
      release();
      release();
      expect(arrays.filter((array) => array.byteLength > 0)).toEqual([]);
    });
  });

  test("keep their rows until released, while other batches are decoded and released", async () => {
    const plan = await planOf();
    const expected = await ownedRows(plan);
    const open: { readonly first: number; readonly lease: LentBatch }[] = [];
    let first = 0;
    await leasesOf(plan, (lease) => {
      open.push({ first, lease });
      first += lease.batch.numRows;
      if (open.length < 3) return;
      const [oldest] = open.splice(1, 1);
      expect(plainRows(oldest!.lease.batch)).toEqual(expected.slice(oldest!.first, oldest!.first + 10));
      oldest!.lease.release();
    });
    for (const { first: from, lease } of open) {
      expect(plainRows(lease.batch)).toEqual(expected.slice(from, from + 10));
    }
  });

  test("reuse the memory of released batches", async () => {
    const plan = await planOf({ batchSize: 1 });
    const before = process.memoryUsage().arrayBuffers;
    let numBatches = 0;
    await leasesOf(plan, ({ release }) => {
      numBatches++;
      release();
    });
    // Each batch takes a buffer of 1 MiB.
    expect(numBatches).toBe(60);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 2 ** 20);
  });
});
