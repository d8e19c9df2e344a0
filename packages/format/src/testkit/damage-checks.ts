import { isTfxioError, type TfxioError } from "@tfxio/wire";
import { check, codedRejectionOf, type FormatCheck } from "./check.js";
import type { BrokenFixture, FormatFixture } from "./fixture.js";
import { type OpenedFixture, readRows, type Subject, withOpened } from "./opened-fixture.js";

/** The truncated copies keep these fractions of the last source. One more copy lacks only the last byte. */
const CUTS = [0, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99];

/**
 * Creates a check that a fixture whose last source is truncated yields at most as many rows as the whole fixture, or fails with a
 * `TfxioError`.
 */
export function truncationChecks<Options extends object>(
  { format, fixture }: Subject<Options>,
  { rows }: FormatFixture<Options>,
): FormatCheck[] {
  return [
    {
      name: "reads a truncated file without extra rows, or fails with a TfxioError that names a source, and leaves nothing open",
      run: async () => {
        const whole = fixture.sources.at(-1) ?? new Uint8Array();
        const lengths = new Set([...CUTS.map((part) => Math.floor(part * whole.length)), whole.length - 1]);
        for (const length of lengths) {
          if (length < 0 || length === whole.length) continue;
          const sources = [...fixture.sources.slice(0, -1), whole.slice(0, length)];
          await withOpened({ format, fixture: { ...fixture, sources } }, async (opened) => {
            const what = `a fixture whose last source is cut to ${length} of ${whole.length} bytes`;
            await checkCutRead(opened, rows.length, what);
            opened.checkNothingOpen(`after reading ${what}`);
          });
        }
      },
    },
  ];
}

/** Reads a truncated fixture. It must yield at most `numRows` rows, or fail with a `TfxioError` that names one of its sources. */
async function checkCutRead(opened: OpenedFixture, numRows: number, what: string): Promise<void> {
  try {
    const found = await readRows(await opened.plan());
    check(found.length <= numRows, `${what} gave ${found.length} rows, but the whole fixture has ${numRows}`);
  } catch (error) {
    check(isTfxioError(error), `${what} must fail with a TfxioError, but failed with ${String(error)}`);
    checkUri(error, opened, what);
  }
}

/** Creates a check that reading broken bytes fails as the fixture declares, twice with the same reader. */
export function brokenChecks<Options extends object>(
  subject: Subject<Options>,
  { error: { code, reason } }: BrokenFixture<Options>,
): FormatCheck[] {
  return [
    {
      name: `fails with ${code}, names a source, and leaves nothing open`,
      run: () =>
        withOpened(subject, async (opened) => {
          for (const attempt of ["the first read", "the second read"]) {
            const read = async (): Promise<unknown> => readRows(await opened.plan());
            const error = await codedRejectionOf(read, attempt, code);
            check(
              reason === undefined || error.reason === reason,
              `${attempt} must fail with the reason "${reason}", found ${error.reason ?? "none"}`,
            );
            checkUri(error, opened, attempt);
            opened.checkNothingOpen(`after ${attempt} failed`);
          }
        }),
    },
  ];
}

function checkUri(error: TfxioError, opened: OpenedFixture, what: string): void {
  const uri = "uri" in error ? error.uri : undefined;
  check(
    opened.sources.some((source) => source.uri === uri),
    `${what}: the error's "uri" must name a source of the fixture, but is ${String(uri)}: ${error.message}`,
  );
}
