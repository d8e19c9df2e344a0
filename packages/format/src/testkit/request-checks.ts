import { ColumnPath, type Schema } from "@tfxio/schema";
import type { ReadRequest } from "../read-request.js";
import { check, codedRejectionOf, type FormatCheck } from "./check.js";
import type { FixtureRow, FormatFixture } from "./fixture.js";
import { readBatches, readFixture, readRows, type Subject, withOpened } from "./opened-fixture.js";
import { checkRows, columnNames, projectRows, rowsOf } from "./rows.js";

/**
 * Creates checks of requests. `columns`, `schema`, `unlisted` and `batchSize` must take effect, and invalid requests, options and
 * splits must be rejected.
 */
export function requestChecks<Options extends object>(
  subject: Subject<Options>,
  { rows, schema, options }: FormatFixture<Options>,
): FormatCheck[] {
  const { format, fixture } = subject;
  const rejects = (name: string, request: ReadRequest): FormatCheck => ({
    name: `rejects ${name}`,
    run: () =>
      withOpened(subject, async (opened) => {
        await codedRejectionOf(() => opened.plan(request), "the plan", "invalid-argument");
      }),
  });
  return [
    {
      name: "reads exactly the columns asked for",
      run: () =>
        withOpened(subject, async (opened) => {
          const names = columnNames(rows);
          for (const wanted of [...names.map((name) => [name]), names.slice(0, 2)]) {
            if (wanted.length === 0) continue;
            const plan = await opened.plan({ columns: wanted.map((name) => ColumnPath.of(name)) });
            const found: FixtureRow[] = [];
            for (const split of plan.splits) {
              // `guardReader` already throws for batches with columns that were not requested.
              for (const batch of await readBatches(plan, split)) found.push(...rowsOf(batch));
            }
            checkRows(found, projectRows(rows, wanted), `columns ${wanted.join(", ")}`);
          }
        }),
    },
    {
      name: "counts rows even if no column is read",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan({ columns: [] });
          let numRows = 0;
          for (const split of plan.splits) {
            for (const batch of await readBatches(plan, split)) {
              check(
                batch.numCols === 0,
                `columns ${batch.schema.names.join(", ")} were read, but none was requested`,
              );
              numRows += batch.numRows;
            }
          }
          check(numRows === rows.length, `expected ${rows.length} rows, found ${numRows}`);
        }),
    },
    {
      name: "keeps to the batch size",
      run: () =>
        withOpened(subject, async (opened) => {
          for (const batchSize of [1, 2, 3, rows.length + 1]) {
            const plan = await opened.plan({ batchSize });
            for (const split of plan.splits) {
              const sizes = (await readBatches(plan, split)).map(({ numRows }) => numRows);
              const last = sizes.pop() ?? 1;
              check(
                sizes.every((size) => size === batchSize) && last <= batchSize,
                `batchSize ${batchSize} gave batches of ${[...sizes, last].join(", ")} rows`,
              );
            }
          }
        }),
    },
    {
      name: "rejects an option that it does not have",
      run: async () => {
        const misspelt: object = { ...options, "no-such-option": 1 };
        const unknown = { format, fixture: { ...fixture, options: misspelt as Partial<Options> } };
        const error = await codedRejectionOf(
          () => readFixture(unknown),
          "an unknown option",
          "invalid-argument",
        );
        check(
          error.message.includes("no-such-option"),
          `the error does not name the option: ${error.message}`,
        );
      },
    },
    ...(schema === undefined ? [] : [rejectsStrangeColumn(subject), ...schemaChecks(subject, rows, schema)]),
    rejects("an unknown field of a request", { noSuchRequest: 1 } as ReadRequest),
    rejects("a batch size of zero", { batchSize: 0 }),
    rejects("a batch size that is not an integer", { batchSize: 1.5 }),
    {
      name: "rejects a split that is not in the plan",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan();
          const stranger = { index: plan.splits.length, uri: "no-such-source" };
          await codedRejectionOf(
            () => readBatches(plan, stranger),
            "reading a split that is not in the plan",
            "invalid-argument",
          );
        }),
    },
  ];
}

/** Creates checks that the schema determines the columns of a batch and their order. */
function schemaChecks<Options extends object>(
  subject: Subject<Options>,
  rows: readonly FixtureRow[],
  schema: Schema,
): FormatCheck[] {
  const present = columnNames(rows);
  const dropped = schema.feature.find(({ name }) => present.includes(name));
  if (dropped === undefined) return [];
  const kept = schema.feature.filter(({ name }) => name !== dropped.name).toReversed();
  const narrower = { ...schema, feature: kept };
  return [
    {
      name: "gives only the columns of the schema, in the order of the schema",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan({ schema: narrower });
          const names = kept.map(({ name }) => name);
          for (const split of plan.splits) {
            for (const batch of await readBatches(plan, split)) {
              const found = batch.schema.names.map(String);
              check(
                found.join() === names.join(),
                `the schema has the columns [${names.join(", ")}], but a batch has [${found.join(", ")}]`,
              );
            }
          }
        }),
    },
    {
      name: 'rejects a column outside the schema if the request sets unlisted to "error"',
      run: () =>
        withOpened(subject, async (opened) => {
          const read = async (): Promise<unknown> =>
            readRows(await opened.plan({ schema: narrower, unlisted: "error" }));
          await codedRejectionOf(read, `data with a column "${dropped.name}"`, "schema-mismatch");
        }),
    },
  ];
}

function rejectsStrangeColumn<Options extends object>(subject: Subject<Options>): FormatCheck {
  return {
    name: "rejects a requested column that the schema lacks",
    run: () =>
      withOpened(subject, async (opened) => {
        const columns = [ColumnPath.of("no-such-column")];
        await codedRejectionOf(() => opened.plan({ columns }), "the plan", "schema-mismatch");
      }),
  };
}
