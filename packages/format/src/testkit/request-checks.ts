import { ColumnPath } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";
import type { ReadPlan, ReadRequest } from "../format.js";
import { check, codedRejectionOf, type FormatCheck } from "./check.js";
import type { FixtureRow, FormatFixture } from "./fixture.js";
import { readBatches, readFixture, readRows, type Subject, withOpened } from "./opened-fixture.js";
import { checkRows, columnNames, projectRows, rowsOf } from "./rows.js";

const RAW_COLUMN = "the-raw-record";

/** That what is asked for is done, or refused; never ignored. */
export function requestChecks<Options extends object>(
  subject: Subject<Options>,
  { rows, schema, options }: FormatFixture<Options>,
): FormatCheck[] {
  const { format, fixture } = subject;
  const refuses = (name: string, request: ReadRequest): FormatCheck => ({
    name: `refuses ${name}`,
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
              // A reader refuses batches that have other columns.
              for (const batch of await readBatches(plan, split)) found.push(...rowsOf(batch));
            }
            checkRows(found, projectRows(rows, wanted), `columns ${wanted.join(", ")}`);
          }
        }),
    },
    {
      name: "counts rows of which no column is read",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan({ columns: [] });
          let numRows = 0;
          for (const split of plan.splits) {
            for (const batch of await readBatches(plan, split)) {
              check(
                batch.numCols === 0,
                `columns ${batch.schema.names.join(", ")} were read, asked for was none`,
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
      name: "reads through a schema that it inferred, or says that it cannot infer",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await unlessUnsupported(() => opened.plan({ inferSchema: "full" }));
          if (plan === undefined) return;
          check(plan.schema !== undefined, "a plan with inferSchema has no schema");
          check(plan.arrowSchema !== undefined, "a plan with inferSchema has no arrowSchema");
          const found = await readRows(plan);
          check(found.length === rows.length, `expected ${rows.length} rows, found ${found.length}`);
        }),
    },
    {
      name: "appends the raw record column, or says that it has none",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await unlessUnsupported(() => opened.plan({ rawRecordColumn: RAW_COLUMN }));
          for (const split of plan?.splits ?? []) {
            for (const batch of await readBatches(plan!, split)) {
              const last = batch.schema.fields.at(-1);
              check(
                last?.name === RAW_COLUMN,
                `the last column is "${String(last?.name)}", not the raw record`,
              );
              const records = batch.getChildAt(batch.numCols - 1);
              check(records !== null && records.nullCount === 0, "a row lacks its raw record");
            }
          }
        }),
    },
    {
      name: "refuses an option that it does not have",
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
    ...(schema === undefined ? [] : [refusesStrangeColumn(subject)]),
    refuses("a request that it does not know", { noSuchRequest: 1 } as ReadRequest),
    refuses("a batch size of zero", { batchSize: 0 }),
    refuses("a batch size that is no integer", { batchSize: 1.5 }),
    {
      name: "refuses a split that is not its own",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan();
          const stranger = { index: plan.splits.length, uri: "no-such-source" };
          await codedRejectionOf(() => readBatches(plan, stranger), "a foreign split", "invalid-argument");
        }),
    },
  ];
}

function refusesStrangeColumn<Options extends object>(subject: Subject<Options>): FormatCheck {
  return {
    name: "refuses a column that the schema lacks",
    run: () =>
      withOpened(subject, async (opened) => {
        const columns = [ColumnPath.of("no-such-column")];
        await codedRejectionOf(() => opened.plan({ columns }), "the plan", "schema-mismatch");
      }),
  };
}

async function unlessUnsupported(plan: () => Promise<ReadPlan>): Promise<ReadPlan | undefined> {
  try {
    return await plan();
  } catch (error) {
    if (isTfxioError(error, "unsupported")) return undefined;
    throw error;
  }
}
