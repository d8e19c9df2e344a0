import { ColumnPath, type Predicate } from "@tfxio/schema";
import type { ReadPlan } from "../read-plan.js";
import { check, codedRejectionOf, type FormatCheck } from "./check.js";
import type { FixtureRow, FixtureValue, FormatFixture } from "./fixture.js";
import { readRows, readSplit, type Subject, withOpened } from "./opened-fixture.js";
import { checkRows, columnNames, isEqualRow, projectRows } from "./rows.js";
import { checkPositions } from "./split-checks.js";

type Comparable = number | bigint | string;

/**
 * Creates checks that a filter keeps every matching row. If the plan's `filtered` is `"rows"`, the filter must keep no other row.
 * If the format does not declare filters, a request with a filter must fail.
 */
export function filterChecks<Options extends object>(
  subject: Subject<Options>,
  { rows }: FormatFixture<Options>,
): FormatCheck[] {
  const { reads } = subject.format;
  const conditions = columnNames(rows).flatMap((name) => conditionsOn(name, rows));
  if (reads.filter === undefined) {
    const [condition] = conditions;
    if (condition === undefined) return [];
    return [
      {
        name: "rejects filter, which it does not declare",
        run: () =>
          withOpened(subject, async (opened) => {
            await codedRejectionOf(
              () => opened.plan({ filter: condition.filter }),
              "a plan with a filter",
              "unsupported",
            );
          }),
      },
    ];
  }
  return conditions.map(({ name, filter, matches }) => ({
    name: `applies the filter ${name}`,
    run: () =>
      withOpened(subject, async (opened) => {
        const expected = rows.filter(matches);
        for (const columns of [undefined, columnNames(rows).slice(0, 1), []]) {
          const plan = await opened.plan({
            filter,
            columns: columns?.map((column) => ColumnPath.of(column)),
            batchSize: 2,
          });
          const project = (some: readonly FixtureRow[]): readonly FixtureRow[] =>
            columns === undefined ? some : projectRows(some, columns);
          const checkFound = (found: readonly FixtureRow[]): void =>
            plan.filtered === "rows"
              ? checkRows(found, project(expected), `rows with ${name}`)
              : checkLosesNone(found, project(expected), project(rows), name);
          checkFound(await readRows(plan));
          checkFound(await readParts(plan));
          for (const split of plan.splits) await checkPositions(plan, split);
        }
      }),
  }));
}

/** Returns whether at least one condition leads to a plan whose `filtered` equals the `filter` that the format declares. */
export async function isFiltered<Options extends object>(
  subject: Subject<Options>,
  { rows }: FormatFixture<Options>,
): Promise<boolean> {
  const { filter: declared } = subject.format.reads;
  return withOpened(subject, async (opened) => {
    for (const name of columnNames(rows)) {
      for (const { filter } of conditionsOn(name, rows)) {
        if ((await opened.plan({ filter })).filtered === declared) return true;
      }
    }
    return false;
  });
}

async function readParts(plan: ReadPlan): Promise<FixtureRow[]> {
  const found: FixtureRow[] = [];
  for (const split of plan.splits) {
    for (const part of (await plan.subdivide?.(split)) ?? [split]) {
      found.push(...(await readSplit(plan, part)));
    }
  }
  return found;
}

/** A filter, and a function that returns whether the filter must keep a row of the fixture. */
interface Condition {
  readonly name: string;
  readonly filter: Predicate;
  readonly matches: (row: FixtureRow) => boolean;
}

/** Returns conditions on one column: comparisons with its first value, the negation of one of them, `in` and `isNull`. */
function conditionsOn(name: string, rows: readonly FixtureRow[]): Condition[] {
  const value = rows.flatMap((row) => valuesOf(row[name])).find(isComparable);
  if (value === undefined) return [];
  const column = ColumnPath.of(name);
  // A fixture may write an int64 as a number if the number represents it exactly.
  const operand = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  const some = (row: FixtureRow, holds: (one: Comparable) => boolean): boolean =>
    valuesOf(row[name]).filter(isComparable).some(holds);
  const isNull = (row: FixtureRow): boolean => (row[name] ?? null) === null;
  const equal: Predicate = { kind: "compare", column, op: "==", value: operand };
  return [
    { name: `${name} == ${value}`, filter: equal, matches: (row) => some(row, (one) => one === value) },
    {
      name: `${name} > ${value}`,
      filter: { kind: "compare", column, op: ">", value: operand },
      matches: (row) => some(row, (one) => one > value),
    },
    {
      name: `${name} < ${value}`,
      filter: { kind: "compare", column, op: "<", value: operand },
      matches: (row) => some(row, (one) => one < value),
    },
    {
      name: `not ${name} == ${value}`,
      filter: { kind: "not", operand: equal },
      matches: (row) => !isNull(row) && !some(row, (one) => one === value),
    },
    {
      name: `${name} in (${value})`,
      filter: { kind: "in", column, values: [operand] },
      matches: (row) => some(row, (one) => one === value),
    },
    { name: `${name} is null`, filter: { kind: "isNull", column }, matches: isNull },
  ];
}

function valuesOf(cell: FixtureValue | undefined): readonly FixtureValue[] {
  return Array.isArray(cell) ? (cell as readonly FixtureValue[]) : cell === undefined ? [] : [cell];
}

function isComparable(value: FixtureValue): value is Comparable {
  return typeof value === "number" || typeof value === "bigint" || typeof value === "string";
}

/** Checks that every expected row is present, in order. Rows that do not match may lie between them. */
function checkLosesNone(
  found: readonly FixtureRow[],
  expected: readonly FixtureRow[],
  all: readonly FixtureRow[],
  what: string,
): void {
  check(
    found.length <= all.length,
    `the filter ${what} returned ${found.length} rows, but the data has only ${all.length}`,
  );
  let at = 0;
  for (const row of expected) {
    while (at < found.length && !isEqualRow(found[at] as FixtureRow, row)) at++;
    check(at < found.length, `the filter ${what} dropped a row that matches`);
    at++;
  }
}
