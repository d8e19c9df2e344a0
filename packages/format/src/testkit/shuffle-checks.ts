import type { ReadPlan } from "../read-plan.js";
import { check, codedRejectionOf, type FormatCheck } from "./check.js";
import type { FixtureRow, FormatFixture } from "./fixture.js";
import { readSplit, type Subject, throughJson, withOpened } from "./opened-fixture.js";
import { checkRows, isEqualRow, rowsOf, withoutColumn, withoutEmptyStructs } from "./rows.js";

const SPLIT_COLUMN = "the-split";
/** With three or more distinct rows, eight seeds are very unlikely to all give the same order unless the seed has no effect. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
/** Minimum number of distinct rows for which the orders of several seeds are compared. Fewer rows have too few orders. */
const MIN_ROWS = 3;

/**
 * Creates checks that a shuffled read yields all rows in an order that the seed determines. If the format does not declare
 * shuffling, a shuffled read must fail.
 */
export function shuffleChecks<Options extends object>(
  subject: Subject<Options>,
  { rows }: FormatFixture<Options>,
): FormatCheck[] {
  if (subject.format.reads.shuffle === undefined) {
    return [
      {
        name: "rejects shuffle, which it does not declare",
        run: () =>
          withOpened(subject, async (opened) => {
            const plan = await opened.plan();
            const [split] = plan.splits;
            if (split === undefined) return;
            const read = (): Promise<unknown> => readSplit(plan, split, { shuffle: { seed: 1, numRows: 2 } });
            await codedRejectionOf(read, "a shuffled read", "unsupported");
          }),
      },
    ];
  }
  return [
    {
      name: "shuffles all rows of all splits in an order that the seed determines",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan();
          const orders = new Set<string>();
          for (const seed of SEEDS) {
            const found = await readShuffled(plan, seed, rows.length);
            checkSameRows(found, rows, `shuffled with seed ${seed}`);
            checkRows(await readShuffled(plan, seed, rows.length), found, `shuffled again with seed ${seed}`);
            orders.add(JSON.stringify(found, toText));
          }
          const isUniform = new Set(rows.map((row) => JSON.stringify(row, toText))).size < MIN_ROWS;
          check(isUniform || orders.size > 1, `${SEEDS.length} seeds all gave the same order`);
        }),
    },
    {
      name: "gives the same order for large and small chunks",
      run: async () => {
        const orderOf = (numChunks: number): Promise<FixtureRow[]> =>
          withOpened(subject, async (opened) => readShuffled(await opened.plan(), 1, rows.length), {
            numChunks,
          });
        checkRows(await orderOf(1), await orderOf(100), "shuffled from sources in one chunk");
      },
    },
    {
      name: "gives the same order for small and large batches, and when the read resumes at any row",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan({ batchSize: 1 });
          const all = await readShuffled(plan, 1, rows.length);
          const atOnce = await readShuffled(await opened.plan(), 1, rows.length);
          checkRows(withoutEmptyStructs(atOnce), withoutEmptyStructs(all), "shuffled in one batch");
          for (let row = 0; row < rows.length; row++) {
            const rest = await readShuffled(plan, 1, rows.length, throughJson({ row }));
            checkRows(rest, all.slice(row), `shuffled rows from ${row} on`);
          }
        }),
    },
    {
      name: "keeps the file order when each draw chooses from one row",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan();
          for (const split of plan.splits) {
            const found = await readSplit(plan, split, { shuffle: { seed: 1, numRows: 1 } });
            checkRows(found, await readSplit(plan, split), "shuffled with numRows 1");
          }
        }),
    },
    {
      name: "appends a column with the split index of each row to shuffled batches",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan();
          const [first, ...others] = plan.splits;
          if (first === undefined) return;
          const shuffle = { seed: 1, numRows: rows.length, with: others, splitIndexColumn: SPLIT_COLUMN };
          const found: FixtureRow[] = [];
          for await (const batch of plan.read(first, { shuffle })) found.push(...rowsOf(batch));
          for (const split of plan.splits) {
            const own = found.filter((row) => row[SPLIT_COLUMN] === split.index);
            const what = `rows of split ${split.index}`;
            checkSameRows(withoutColumn(own, SPLIT_COLUMN), await readSplit(plan, split), what);
          }
        }),
    },
  ];
}

/** Reads all splits of a plan as one shuffled read. */
function readShuffled(
  plan: ReadPlan,
  seed: number,
  numRows: number,
  from?: { readonly row: number },
): Promise<FixtureRow[]> {
  const [first, ...others] = plan.splits;
  if (first === undefined) return Promise.resolve([]);
  return readSplit(plan, first, { from, shuffle: { seed, numRows: Math.max(1, numRows), with: others } });
}

/** Checks that two lists have the same rows in any order. */
function checkSameRows(found: readonly FixtureRow[], expected: readonly FixtureRow[], what: string): void {
  const rest = [...found];
  for (const row of expected) {
    const at = rest.findIndex((other) => isEqualRow(other, row));
    check(at >= 0, `${what}: the row ${JSON.stringify(row, toText)} is missing`);
    rest.splice(at, 1);
  }
  check(rest.length === 0, `${what}: ${rest.length} rows too many`);
}

function toText(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value;
}
