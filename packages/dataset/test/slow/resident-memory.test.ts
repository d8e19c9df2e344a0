import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "@jest/globals";

/** Rows of 10 kB: 1 GB in all. A buffer of 1000 rows is 10 MB. */
const ROW_BYTES = 10_000;
const NUM_ROWS = 100_000;
const BATCH_ROWS = 500;
const MB = 1e6;

/** Peak memory of a process, in bytes. */
interface Peak {
  /** The array buffers that were still referenced after a garbage collection. */
  readonly buffers: number;
  /** Resident memory. */
  readonly resident: number;
}

/**
 * Returns the peak memory of a process that reads all rows in batches. The process collects garbage every 50 batches, so that the
 * peaks do not depend on when V8 would collect it. `pipeline` is an expression that uses the dataset `sequential` or `random`.
 */
function peakOf(pipeline: string): Peak {
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
    let numBatches = 0;
    let buffers = 0;
    for await (const { x } of ${pipeline}.batch(32)) {
      if (numBatches++ % 50 === 0) {
        gc();
        buffers = Math.max(buffers, process.memoryUsage().arrayBuffers);
      }
      const view = new DataView(x.values.buffer, x.values.byteOffset);
      for (let row = 0; row < x.shape[0]; row++) seen[view.getUint32(row * ${ROW_BYTES})]++;
    }
    if (!seen.every((times) => times === 1)) throw new Error("a row is missing, or came twice");
    console.log(JSON.stringify({ buffers, resident: process.resourceUsage().maxRSS * 1024 }));
  `;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--expose-gc", "--input-type=module", "-e", program],
    {
      cwd: path.join(import.meta.dirname, "../.."),
      env: { ...process.env, NODE_OPTIONS: "" },
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Peak;
}

test("shuffle and prefetch each add less than 100 MB of memory to a pass over 1 GB if garbage is collected often", () => {
  const unshuffled = peakOf("sequential");
  const extraOf = (pipeline: string) => {
    const { buffers, resident } = peakOf(pipeline);
    return { buffers: buffers - unshuffled.buffers, resident: resident - unshuffled.resident };
  };
  const shuffle = extraOf("sequential.shuffle(1000, { seed: 1 })");
  const all = extraOf('random.shuffle("all", { seed: 1 })');
  const prefetch = extraOf("sequential.prefetch(2)");
  // The batches that a shuffle keeps may hold four times as many rows as its buffer. Above that, it copies rows to free some
  // batches.
  expect(shuffle.buffers).toBeGreaterThan(10 * MB);
  expect(shuffle.buffers).toBeLessThan(60 * MB);
  expect(shuffle.resident).toBeLessThan(100 * MB);
  expect(all.buffers).toBeLessThan(20 * MB);
  expect(all.resident).toBeLessThan(40 * MB);
  expect(prefetch.buffers).toBeLessThan(20 * MB);
  expect(prefetch.resident).toBeLessThan(40 * MB);
}, 60_000);
