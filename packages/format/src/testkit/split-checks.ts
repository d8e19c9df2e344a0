import type { Position } from "@tfxio/wire";
import type { ReadPlan, Split } from "../read-plan.js";
import { check, type FormatCheck } from "./check.js";
import type { FixtureRow, FormatFixture } from "./fixture.js";
import { readSplit, type Subject, throughJson, withOpened } from "./opened-fixture.js";
import { checkRows, rowsOf } from "./rows.js";

/** Maximum number of positions that are tried per split. Each costs two reads of the remaining rows. */
const MAX_POSITIONS = 12;

/** Creates checks of splits, of the positions at which a read can resume, and of progress. */
export function splitChecks<Options extends object>(
  subject: Subject<Options>,
  { rows }: FormatFixture<Options>,
): FormatCheck[] {
  return [
    {
      name: "gives splits that are ordered, disjoint and complete",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan();
          checkOrder(
            plan.splits,
            opened.sources.map(({ uri }) => uri),
          );
          const backwards: FixtureRow[][] = [];
          for (const split of plan.splits.toReversed()) {
            const found = await readSplit(plan, split);
            checkNumRows(split, found.length);
            backwards.unshift(found);
          }
          checkRows(backwards.flat(), rows, "splits read from the last to the first");
        }),
    },
    {
      name: "reads the splits of another reader's plan after they went through JSON",
      run: async () => {
        const splits = await withOpened(subject, async (opened) => (await opened.plan()).splits);
        await withOpened(subject, async (opened) => {
          const plan = await opened.plan();
          const found: FixtureRow[] = [];
          for (const split of throughJson(splits)) found.push(...(await readSplit(plan, split)));
          checkRows(found, rows, "splits of another plan");
        });
      },
    },
    {
      name: "resumes at positions that it reported",
      run: () =>
        withOpened(subject, async (opened) => {
          for (const batchSize of [1, 2]) {
            const plan = await opened.plan({ batchSize });
            for (const split of plan.splits) await checkPositions(plan, split);
          }
        }),
    },
    {
      name: "reports progress before each batch",
      run: () =>
        withOpened(subject, async (opened) => {
          const plan = await opened.plan({ batchSize: 2 });
          for (const split of plan.splits) {
            let [delivered, reported] = [0, 0];
            const onProgress = ({ numRows }: { readonly numRows: number }): void => {
              reported = numRows;
            };
            for await (const batch of plan.read(split, { onProgress })) {
              delivered += batch.numRows;
              check(
                reported === delivered,
                `${delivered} rows were delivered, but ${reported} were reported`,
              );
            }
          }
        }),
    },
  ];
}

/** Checks that splits are in the order of the sources and do not overlap. */
function checkOrder(splits: readonly Split[], uris: readonly string[]): void {
  let [source, end] = [-1, 0];
  splits.forEach((split, index) => {
    check(split.index === index, `the split at position ${index} has the index ${split.index}`);
    const position = uris.indexOf(split.uri);
    check(position >= 0, `split ${index} has the uri "${split.uri}", which is not the uri of a source`);
    check(
      position >= source,
      `split ${index} has the uri "${split.uri}", which is neither the previous split's source nor a later one`,
    );
    const start = split.start ?? 0;
    const extent = end === Infinity ? "the end" : `byte ${end}`;
    check(
      position > source || start >= end,
      `split ${index} of ${split.uri} begins at byte ${start}, but the previous split extends to ${extent}`,
    );
    source = position;
    end = split.end ?? Infinity;
    check(start <= end, `split ${index} of ${split.uri} ends at byte ${end}, before its start ${start}`);
  });
}

/** If the split declares its number of rows, checks that this number equals `found`. @throws {CheckFailure} if it does not. */
export function checkNumRows({ index, uri, numRows }: Split, found: number): void {
  check(
    numRows === undefined || numRows === found,
    `split ${index} of ${uri} declares ${numRows} rows, but gave ${found}`,
  );
}

/**
 * Checks that a read from each reported position, with and without `detail`, yields the rows after the position.
 * @throws {CheckFailure} if the rows differ.
 */
export async function checkPositions(plan: ReadPlan, split: Split): Promise<void> {
  const found: FixtureRow[] = [];
  const marks: { readonly position: Position; readonly numRows: number }[] = [];
  for await (const batch of plan.read(split, { onProgress: (progress) => marks.push(progress) })) {
    found.push(...rowsOf(batch));
  }
  check(found.length === 0 || marks.length > 0, "a read with onProgress reported nothing");
  const stride = Math.ceil(marks.length / MAX_POSITIONS);
  for (const { position, numRows } of marks.filter((_, index) => index % stride === 0)) {
    for (const from of [position, { row: position.row }]) {
      const rest = await readSplit(plan, split, { from: throughJson(from) });
      checkRows(rest, found.slice(numRows), `reading from ${JSON.stringify(from)}`);
    }
  }
}
