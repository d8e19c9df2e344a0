// A format with synthetic batches, for tests of worker threads. It is plain JavaScript because the threads import it together
// with the built packages.
import { defineFormat } from "@tfxio/format";
import { makeData, RecordBatch, Int32, Struct, Schema, Field } from "apache-arrow";
import { threadId } from "node:worker_threads";

const fields = [new Field("value", new Int32(), false), new Field("thread", new Int32(), false)];

function batchOf(value) {
  const children = [value, threadId].map((number) =>
    makeData({ type: new Int32(), length: 1, nullCount: 0, data: Int32Array.of(number) }),
  );
  return new RecordBatch(
    new Schema(fields),
    makeData({ type: new Struct(fields), length: 1, nullCount: 0, children }),
  );
}

/** A read of a split yields as many batches as `batches` says, and then behaves as `ending` says. */
export const toy = defineFormat({
  id: "toy",
  contractVersion: 2,
  columnForm: "lists",
  extensions: [".toy"],
  defaults: { batches: 3, ending: "end", produced: undefined, closed: undefined },
  module: import.meta.url,
  open: async (sources, { options }) => ({
    plan: async () => ({
      splits: sources.map(({ uri }, index) => ({ index, uri })),
      async *read(split, { signal } = {}) {
        for (let i = 0; i < options.batches; i++) {
          if (options.produced !== undefined) Atomics.add(new Int32Array(options.produced), 0, 1);
          yield batchOf(100 * split.index + i);
        }
        if (options.ending === "end") return;
        if (options.ending === "spin") {
          Atomics.store(new Int32Array(options.produced), 0, -1);
          for (;;);
        }
        if (options.ending === "exit") process.exit(3);
        if (options.ending === "throw-later") setTimeout(() => undefined.nothing);
        if (options.ending === "type-error")
          throw new TypeError("a plain one", { cause: new RangeError("below") });
        await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      },
    }),
    async close() {
      if (options.closed !== undefined) Atomics.add(new Int32Array(options.closed), 0, 1);
    },
  }),
});
