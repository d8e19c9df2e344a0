import { check, type FormatCheck } from "./check.js";
import type { FixtureRow, FixtureValue } from "./fixture.js";
import { readAllBatches, type Subject, withOpened } from "./opened-fixture.js";
import { checkRows, columnNames, rowsOf } from "./rows.js";

/** Creates a check that both column forms yield the same rows, each in its own form. */
export function columnFormCheck<Options extends object>(
  subject: Subject<Options>,
  rows: readonly FixtureRow[],
): FormatCheck {
  return {
    name: "reads columns as lists and as stored",
    run: () =>
      withOpened(subject, async (opened) => {
        const inForm = async (columnForm: "lists" | "stored"): Promise<FixtureRow[]> =>
          (await readAllBatches(await opened.plan({ columnForm }))).flatMap(rowsOf);
        const lists = await inForm("lists");
        checkRows(lists, asLists(rows), 'columnForm "lists"');
        const stored = await inForm("stored");
        checkRows(asLists(stored), asLists(rows), 'columnForm "stored", as lists');
        const single = columnNames(lists).find((name) => lists.every((row) => hasAtMostOne(row[name])));
        const isFlat = stored.some((row) => Object.values(row).some((cell) => !Array.isArray(cell)));
        check(
          isFlat || single === undefined,
          `columnForm "stored" gave only lists, but no row has more than one value of "${single}"`,
        );
      }),
  };
}

/** Converts each single value of the rows to a list of one. */
function asLists(rows: readonly FixtureRow[]): FixtureRow[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [name, cell === null || isList(cell) ? cell : [cell]]),
    ),
  );
}

/** Returns whether a cell can be flat: it is null, a single value, or a list of one. */
function hasAtMostOne(cell: FixtureValue | undefined): boolean {
  return !isList(cell) || cell.length === 1;
}

function isList(cell: FixtureValue | undefined): cell is readonly FixtureValue[] {
  return Array.isArray(cell);
}
