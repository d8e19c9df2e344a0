import type { ReadOptions, ReadPlan, Split } from "../read-plan.js";
import type { FormatReads, ReadRequest } from "../read-request.js";
import { check, codedRejectionOf, type FormatCheck } from "./check.js";
import { columnFormCheck } from "./column-form-check.js";
import type { FixtureRow, FormatFixture } from "./fixture.js";
import {
  readAllBatches,
  readBatches,
  readSplit,
  type Subject,
  throughJson,
  withOpened,
} from "./opened-fixture.js";
import { checkRows, isEqualRow, rowsOf, withoutColumn, withoutEmptyStructs } from "./rows.js";
import { checkNumRows, checkPositions } from "./split-checks.js";

/** A column name that no fixture is expected to have. */
const ADDED_COLUMN = "the-added-column";

/** For each request field that needs a declaration, except `filter`: the member that declares it, and a request with it. */
const UNDECLARED: Readonly<Record<string, [keyof FormatReads, ReadRequest]>> = {
  columnForm: ["columnForm", { columnForm: "stored" }],
  batchBytes: ["batchBytes", { batchBytes: 1024 }],
  splitBytes: ["subdivide", { splitBytes: 1024 }],
  rawRecordColumn: ["rawRecordColumn", { rawRecordColumn: ADDED_COLUMN }],
  rowPositionColumn: ["rowPositionColumn", { rowPositionColumn: ADDED_COLUMN }],
};

/** Creates checks that each declared field has its effect, and that requests with undeclared fields fail. */
export function declaredChecks<Options extends object>(
  subject: Subject<Options>,
  { rows }: FormatFixture<Options>,
): FormatCheck[] {
  const { reads } = subject.format;
  const rejected = Object.entries(UNDECLARED)
    .filter(([, [member]]) => reads[member] === undefined)
    .map(([field, [, request]]) => ({
      name: `rejects ${field}, which it does not declare`,
      run: () =>
        withOpened(subject, async (opened) => {
          await codedRejectionOf(() => opened.plan(request), `a plan with ${field}`, "unsupported");
        }),
    }));
  return [
    ...rejected,
    ...(reads.columnForm === true ? [columnFormCheck(subject, rows)] : []),
    ...(reads.batchBytes === true ? [batchBytesCheck(subject, rows)] : []),
    ...(reads.rawRecordColumn === true ? [rawRecordCheck(subject, rows)] : []),
    ...(reads.rowPositionColumn === true ? [rowPositionCheck(subject, rows)] : []),
    ...(reads.subdivide === true ? [subdivideCheck(subject, rows)] : []),
  ];
}

/** Creates a check that `batchBytes: 1` gives several batches for each split that has a value before its last row. */
function batchBytesCheck<Options extends object>(
  subject: Subject<Options>,
  rows: readonly FixtureRow[],
): FormatCheck {
  return {
    name: "ends batches at batchBytes",
    run: () =>
      withOpened(subject, async (opened) => {
        const plan = await opened.plan({ batchBytes: 1 });
        const found: FixtureRow[] = [];
        for (const split of plan.splits) {
          const batches = (await readBatches(plan, split)).map(rowsOf);
          const ofSplit = batches.flat();
          // A row without values may take no bytes, so it need not end its batch. The last row ends its batch anyway.
          const mustEnd = ofSplit.slice(0, -1).some(hasValue);
          check(
            batches.length > 1 || !mustEnd,
            `batchBytes 1 gave one batch of all ${ofSplit.length} rows of split ${split.index}`,
          );
          found.push(...ofSplit);
        }
        checkRows(withoutEmptyStructs(found), withoutEmptyStructs(rows), "reading with batchBytes");
      }),
  };
}

function hasValue(row: FixtureRow): boolean {
  return Object.values(row).some((cell) => !(Array.isArray(cell) && cell.length === 0));
}

/** Creates a check that the raw record column comes last, and that equal records belong to equal rows. */
function rawRecordCheck<Options extends object>(
  subject: Subject<Options>,
  rows: readonly FixtureRow[],
): FormatCheck {
  return {
    name: "appends the raw record column",
    run: () =>
      withOpened(subject, async (opened) => {
        for (const columns of [undefined, []]) {
          const plan = await opened.plan({ rawRecordColumn: ADDED_COLUMN, columns });
          const batches = await readAllBatches(plan);
          const records = new Map<string, FixtureRow>();
          let row = 0;
          for (const batch of batches) {
            const last = batch.schema.fields.at(-1);
            check(last?.name === ADDED_COLUMN, `the last column is "${last?.name}", not the raw record`);
            for (const found of rowsOf(batch)) {
              const record = String(found[ADDED_COLUMN] ?? "");
              check(ADDED_COLUMN in found, `row ${row} lacks its raw record`);
              const expected = rows[row++] ?? {};
              check(
                isEqualRow(records.get(record) ?? expected, expected),
                `row ${row - 1} has the raw record of another row`,
              );
              records.set(record, expected);
            }
          }
          const expected = columns === undefined ? rows : rows.map(() => ({}));
          checkRows(withoutColumn(batches.flatMap(rowsOf), ADDED_COLUMN), expected, "rows with raw records");
        }
      }),
  };
}

/**
 * Creates a check that positions ascend in each file, and do not depend on the batch size, on the row at which a read starts, or
 * on how a split is divided.
 */
function rowPositionCheck<Options extends object>(
  subject: Subject<Options>,
  rows: readonly FixtureRow[],
): FormatCheck {
  return {
    name: "appends row positions that ascend in each file, however it is read",
    run: () =>
      withOpened(subject, async (opened) => {
        const planBy = (batchSize: number): Promise<ReadPlan> =>
          opened.plan({ rowPositionColumn: ADDED_COLUMN, batchSize });
        const positionsOf = async (
          plan: ReadPlan,
          splits: readonly Split[],
          options?: ReadOptions,
        ): Promise<[string, bigint][]> => {
          const found: [string, bigint][] = [];
          for (const split of splits) {
            for (const batch of await readBatches(plan, split, options)) {
              const column = batch.getChild(ADDED_COLUMN);
              for (let row = 0; row < batch.numRows; row++)
                found.push([split.uri, column?.get(row) as bigint]);
            }
          }
          return found;
        };
        const positionsBy = async (batchSize: number): Promise<[string, bigint][]> => {
          const plan = await planBy(batchSize);
          return positionsOf(plan, plan.splits);
        };
        const all = await positionsBy(rows.length + 1);
        check(all.length === rows.length, `expected ${rows.length} positions, found ${all.length}`);
        all.forEach(([uri, position], row) => {
          check(
            typeof position === "bigint",
            `row ${row} has the position ${String(position)}, not an int64`,
          );
          const [lastUri, last] = all[row - 1] ?? [];
          check(
            uri !== lastUri || position > (last as bigint),
            `row ${row} of ${uri} has the position ${position}, after ${String(last)}`,
          );
        });
        check(
          String(await positionsBy(1)) === String(all),
          "row positions must not depend on the batch size",
        );
        const plan = await planBy(2);
        for (const split of plan.splits) {
          const whole = await positionsOf(plan, [split]);
          for (let row = 0; row < whole.length; row++) {
            check(
              String(await positionsOf(plan, [split], { from: { row } })) === String(whole.slice(row)),
              `row positions must not change if a read begins at row ${row} of split ${split.index}`,
            );
          }
          const parts = await plan.subdivide?.(split);
          check(
            parts === undefined || String(await positionsOf(plan, parts)) === String(whole),
            `row positions must not change in the parts of split ${split.index}`,
          );
        }
      }),
  };
}

/**
 * Creates a check that the parts of a split can be read in reverse order, and that they yield all rows of the split if another
 * plan reads them.
 */
function subdivideCheck<Options extends object>(
  subject: Subject<Options>,
  rows: readonly FixtureRow[],
): FormatCheck {
  return {
    name: "cuts splits into parts that give the same rows",
    run: () =>
      withOpened(subject, async (opened) => {
        for (const splitBytes of [undefined, 1, 64, 2 ** 30]) {
          const plan = await opened.plan({ splitBytes });
          const found: FixtureRow[] = [];
          for (const split of plan.splits) {
            const parts = throughJson(await partsOf(plan, split));
            opened.checkNothingOpen("after a split was cut");
            checkParts(split, parts);
            for (const part of parts.toReversed()) {
              const rowsOfPart = await readSplit(plan, part);
              checkNumRows(part, rowsOfPart.length);
              if (splitBytes === 1) await checkPositions(plan, part);
            }
            // Simulates another worker, which did not cut the split itself.
            const other = await opened.plan({ splitBytes });
            for (const part of parts) found.push(...(await readSplit(other, part)));
          }
          checkRows(
            found,
            rows,
            splitBytes === undefined
              ? "the parts without splitBytes"
              : `the parts for splitBytes ${splitBytes}`,
          );
        }
      }),
  };
}

async function partsOf(plan: ReadPlan, split: Split): Promise<readonly Split[]> {
  return (await plan.subdivide?.(split)) ?? [split];
}

/** Returns whether the format cuts the fixture into more parts than it has sources. */
export async function isCutIntoParts<Options extends object>(subject: Subject<Options>): Promise<boolean> {
  return withOpened(subject, async (opened) => {
    const plan = await opened.plan({ splitBytes: 1 });
    const parts = await Promise.all(plan.splits.map((split) => partsOf(plan, split)));
    return parts.flat().length > opened.sources.length;
  });
}

function checkParts(split: Split, parts: readonly Split[]): void {
  for (const { index, uri } of parts) {
    check(
      index === split.index && uri === split.uri,
      `a part of split ${split.index} of ${split.uri} claims to belong to split ${index} of ${uri}`,
    );
  }
}
