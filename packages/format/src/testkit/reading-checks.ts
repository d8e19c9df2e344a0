import { util } from "apache-arrow";
import { check, type FormatCheck } from "./check.js";
import type { FormatFixture } from "./fixture.js";
import { readBatches, readFixture, readRows, type Subject, withOpened } from "./opened-fixture.js";
import { checkRows, rowsOf } from "./rows.js";

/** Creates checks that every read returns all rows, in batches that do not change later. */
export function readingChecks<Options extends object>(
  subject: Subject<Options>,
  { rows, schema }: FormatFixture<Options>,
): FormatCheck[] {
  return [
    {
      name: "reads every row",
      run: async () => checkRows(await readFixture(subject), rows, "reading all splits"),
    },
    {
      name: "reads every row without a schema",
      run: async () => {
        const found = await readFixture(subject, { schema: undefined });
        check(found.length === rows.length, `expected ${rows.length} rows, found ${found.length}`);
      },
    },
    {
      name: "reads the same rows from one plan twice, also concurrently",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan();
          const first = await readRows(plan);
          checkRows(await readRows(plan), first, "the second read");
          const [left, right] = await Promise.all([readRows(plan), readRows(plan)]);
          checkRows(left, rows, "the first of two concurrent reads");
          checkRows(right, rows, "the second of two concurrent reads");
        }),
    },
    {
      name: "gives only non-empty batches that have the plan's Arrow schema",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan();
          const { arrowSchema } = plan;
          check(
            schema === undefined || arrowSchema !== undefined,
            "a plan that was given a schema has no arrowSchema",
          );
          for (const split of plan.splits) {
            for (const batch of await readBatches(plan, split)) {
              check(batch.numRows > 0, `${split.uri} gave a batch without rows`);
              check(
                arrowSchema === undefined || util.compareSchemas(arrowSchema, batch.schema),
                `a batch of ${split.uri} has the schema ${String(batch.schema)}, but the plan has ${String(arrowSchema)}`,
              );
            }
          }
        }),
    },
    {
      name: "leaves earlier batches unchanged when it reads on",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan({ batchSize: 1 });
          for (const split of plan.splits) {
            const batches = [];
            const whenYielded = [];
            for await (const batch of plan.read(split)) {
              batches.push(batch);
              whenYielded.push(...rowsOf(batch));
            }
            checkRows(batches.flatMap(rowsOf), whenYielded, "batches inspected again after the last one");
          }
        }),
    },
  ];
}
