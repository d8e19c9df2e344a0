import { isTfxioError } from "@tfxio/wire";
import type { SplitRows } from "../read-plan.js";
import { check, codedRejectionOf, type FormatCheck } from "./check.js";
import type { FixtureRow, FormatFixture } from "./fixture.js";
import { type OpenedFixture, readSplit, type Subject, withOpened } from "./opened-fixture.js";
import { checkRows, rowsOf, withoutEmptyStructs } from "./rows.js";

/**
 * Creates checks that rows can be read by their numbers. A plan must not have `openRows` if its format does not declare random
 * access.
 */
export function randomAccessChecks<Options extends object>(
  subject: Subject<Options>,
  { rows }: FormatFixture<Options>,
): FormatCheck[] {
  const { randomAccess } = subject.format.reads;
  if (randomAccess === "parts") return [];
  if (randomAccess === undefined) {
    return [
      {
        name: "opens no rows by number, because it does not declare randomAccess",
        run: () =>
          withOpened(subject, async (opened) => {
            check((await opened.plan()).openRows === undefined, "its plan has openRows");
          }),
      },
    ];
  }
  return [
    {
      name: "reads rows by number, if the file allows it",
      run: () =>
        withOpened(subject, async (opened) => {
          for (const batchSize of [1, 2, rows.length + 1]) await checkNumbered(opened, batchSize);
        }),
    },
    {
      name: "rejects rows that do not exist or are listed twice, and stays usable",
      run: () =>
        withOpened(subject, async (opened) => {
          for (const numbered of await openAll(opened)) {
            const beyond = Uint32Array.of(numbered.numRows);
            await codedRejectionOf(
              () => rowsAt(numbered, beyond),
              "a row beyond the end",
              "invalid-argument",
            );
            const twice = Uint32Array.of(0, 0);
            await codedRejectionOf(() => rowsAt(numbered, twice), "reading a row twice", "invalid-argument");
            await rowsAt(numbered, new Uint32Array(Math.min(1, numbered.numRows)));
          }
        }),
    },
    {
      name: "rejects a read by number with the reason of a signal that has aborted",
      run: () =>
        withOpened(subject, async (opened) => {
          const reason = new Error("left");
          for (const numbered of await openAll(opened)) {
            const read = numbered.read(new Uint32Array(Math.min(1, numbered.numRows)), {
              signal: AbortSignal.abort(reason),
            });
            const error = await read[Symbol.asyncIterator]()
              .next()
              .then(
                () => undefined,
                (caught: unknown) => caught,
              );
            check(error === reason, "an aborted read by number did not reject with the signal's reason");
          }
        }),
    },
  ];
}

/** Compares rows read by number with rows read in order: all rows, every second row, the last row, and none. */
async function checkNumbered(opened: OpenedFixture, batchSize: number): Promise<void> {
  const planned = await opened.plan({ batchSize });
  for (const split of planned.splits) {
    const numbered = await orUndefined(planned.openRows!(split));
    opened.checkNothingOpen("after rows were opened");
    if (numbered === undefined) continue;
    const all = await readSplit(planned, split);
    check(
      numbered.numRows === all.length,
      `split ${split.index} has ${all.length} rows, but its openRows declares ${numbered.numRows}`,
    );
    const selections = [
      all.map((_, row) => row),
      all.map((_, row) => row).filter((row) => row % 2 === 1),
      all.length === 0 ? [] : [all.length - 1],
      [],
    ];
    for (const numbers of selections) {
      const expected = numbers.map((row) => all[row] as FixtureRow);
      // Without a schema, the columns of a batch depend on its rows.
      const found = withoutEmptyStructs(await rowsAt(numbered, Uint32Array.from(numbers)));
      checkRows(found, withoutEmptyStructs(expected), `rows [${numbers.join(", ")}]`);
      opened.checkNothingOpen("after rows were read by number");
    }
  }
}

async function openAll(fixture: OpenedFixture): Promise<readonly SplitRows[]> {
  const planned = await fixture.plan();
  const opened = await Promise.all(
    planned.splits.map(async (split) => orUndefined(planned.openRows!(split))),
  );
  return opened.filter((rows) => rows !== undefined);
}

/** Awaits a promise. Returns undefined if it rejects with `unsupported`, as for a file that can only be read in order. */
async function orUndefined<Value>(pending: Promise<Value>): Promise<Value | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (isTfxioError(error, "unsupported")) return undefined;
    throw error;
  }
}

async function rowsAt(rows: SplitRows, numbers: Uint32Array): Promise<FixtureRow[]> {
  const found: FixtureRow[] = [];
  for await (const batch of rows.read(numbers)) found.push(...rowsOf(batch));
  return found;
}

/**
 * Returns whether random access works for the fixture. For `randomAccess: "rows"`, this means that the rows of at least one split
 * can be read by number. For `"parts"`, it means that the parts made without `splitBytes` all declare their number of rows.
 */
export function hasRandomAccess<Options extends object>(subject: Subject<Options>): Promise<boolean> {
  return withOpened(subject, async (opened) => {
    if (subject.format.reads.randomAccess === "rows") return (await openAll(opened)).length > 0;
    const plan = await opened.plan();
    const parts = await Promise.all(plan.splits.map(async (split) => plan.subdivide?.(split)));
    return parts.flat().length > 0 && parts.flat().every((part) => part?.numRows !== undefined);
  });
}
