import { openSources } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import type { Format } from "../format.js";
import { check, codedRejectionOf, type FormatCheck, rejectionOf } from "./check.js";
import type { FormatFixture } from "./fixture.js";
import { readBatches, readRows, type Subject, withOpened } from "./opened-fixture.js";
import { checkRows } from "./rows.js";

/** That what was written reads as it was, and that a broken write leaves nothing. */
export function writeChecks<Options extends object>(
  subject: Subject<Options>,
  { rows, schema, options, writeOptions }: FormatFixture<Options>,
  write: NonNullable<Format<Options>["write"]>,
  writeTarget: () => string,
): FormatCheck[] {
  const { format } = subject;
  const batchesOf = (): Promise<RecordBatch[]> =>
    withOpened(subject, async (opened) => {
      const plan = await opened.plan({ batchSize: 2 });
      return (await Promise.all(plan.splits.map((split) => readBatches(plan, split)))).flat();
    });
  return [
    {
      name: "reads back what it wrote",
      run: async () => {
        const summary = await write(stream(await batchesOf()), writeTarget(), { options: writeOptions });
        check(
          summary.numRows === rows.length,
          `${rows.length} rows were written, and ${summary.numRows} reported`,
        );
        const reader = await format.open(await openSources(summary.uris), { options });
        try {
          checkRows(await readRows(await reader.plan({ schema })), rows, "what was written");
        } finally {
          await reader.close();
        }
      },
    },
    {
      name: "leaves nothing behind when its batches fail",
      run: async () => {
        const target = writeTarget();
        const failure = { failed: "after the first batch" };
        const rejection = await rejectionOf(
          async () => write(stream(await batchesOf(), failure), target, { options: writeOptions }),
          "a write whose batches fail",
        );
        check(
          rejection === failure,
          `the write must fail as its batches did, and failed with ${String(rejection)}`,
        );
        await codedRejectionOf(
          () => openSources(target),
          "opening the target of a broken write",
          "not-found",
        );
      },
    },
  ];
}

async function* stream(
  batches: readonly RecordBatch[],
  failure?: object,
): AsyncGenerator<RecordBatch, void, undefined> {
  for (const batch of batches) {
    await Promise.resolve();
    yield batch;
    if (failure !== undefined) throw failure;
  }
}
