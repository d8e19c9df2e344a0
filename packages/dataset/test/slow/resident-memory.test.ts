import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "@jest/globals";

/** Rows of 10 kB: 1 GB in all. A buffer of 1000 rows is 10 MB. */
const ROW_BYTES = 10_000;
const NUM_ROWS = 100_000;
const BATCH_ROWS = 500;
const MB = 1e6;

/**
 * Returns the peak resident memory, in bytes, of a process that reads all rows in batches. `pipeline` is an expression that uses
 * the dataset `sequential` or `random`.
 */
function peakOf(pipeline: string): number {
  const program = `
    import { fromRandomAccess, fromRecordBatches } from "@tfxio/dataset";
    import { recordBatchOf } from "@tfxio/arrow-encoding";
    import { Field, FixedSizeBinary, makeData, Schema } from "apache-arrow";
    const type = new FixedSizeBinary(${ROW_BYTES});
    const arrowSchema = new Schema([new Field("x", type, false)]);
    const batchOf = (ids) => {
      const data = new Uint8Array(ids.length * ${ROW_BYTES}).fill(1);
      ids.forEach((id, row) => new DataView(data.buffer).setUint32(row * ${ROW_BYTES}, id));
      return recordBatchOf(arrowSchema, ids.length, [makeData({ type, length: ids.length, data })]);
    };
    const toHost = ({ numRows, data }) => {
      const { values } = data.children[0];
      return {
        x: { kind: "dense", dtype: "uint8", shape: [numRows, ${ROW_BYTES}], values: values.subarray(0, numRows * ${ROW_BYTES}), borrowed: true },
      };
    };
    const settings = { arrowSchema, toHost, independentRows: true };
    const sequential = fromRecordBatches(function* () {
      for (let start = 0; start < ${NUM_ROWS}; start += ${BATCH_ROWS}) {
        yield batchOf(Array.from({ length: ${BATCH_ROWS} }, (_, k) => start + k));
      }
    }, settings);
    const random = fromRandomAccess({ numRows: ${NUM_ROWS}, read: (positions) => batchOf([...positions]) }, { ...settings, rowsPerRead: 100 });
    const seen = new Uint8Array(${NUM_ROWS});
    for await (const { x } of ${pipeline}.batch(32)) {
      const view = new DataView(x.values.buffer, x.values.byteOffset);
      for (let row = 0; row < x.shape[0]; row++) seen[view.getUint32(row * ${ROW_BYTES})]++;
    }
    if (!seen.every((times) => times === 1)) throw new Error("a row is missing, or came twice");
    console.log(process.resourceUsage().maxRSS * 1024);
  `;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: path.join(import.meta.dirname, "../.."),
    env: { ...process.env, NODE_OPTIONS: "" },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

test("resident memory of a pass over 1 GB is bounded by the requested buffers", () => {
  const unshuffled = peakOf("sequential");
  const extra = {
    shuffle: peakOf("sequential.shuffle(1000, { seed: 1 })") - unshuffled,
    all: peakOf('random.shuffle("all", { seed: 1 })') - unshuffled,
    prefetch: peakOf("sequential.prefetch(2)") - unshuffled,
  };
  // A shuffle may keep four times its buffer before it copies rows so that their record batches can be freed.
  expect(extra.shuffle).toBeLessThan(100 * MB);
  expect(extra.all).toBeLessThan(40 * MB);
  expect(extra.prefetch).toBeLessThan(40 * MB);
}, 60_000);
