import { isTfxioError, type TfxioError } from "@tfxio/wire";
import { check, codedRejectionOf, type FormatCheck } from "./check.js";
import type { BrokenFixture, FormatFixture } from "./fixture.js";
import { type OpenedFixture, readRows, type Subject, withOpened } from "./opened-fixture.js";

/** Fractions of the last source that the truncated copies keep. One more copy lacks only the last byte. */
const CUTS = [0, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99];

/** Creates checks that a truncated file fails with a `TfxioError`, or yields at most as many rows as the whole file. */
export function truncationChecks<Options extends object>(
  { format, fixture }: Subject<Options>,
  { rows }: FormatFixture<Options>,
): FormatCheck[] {
  return [
    {
      name: "reads a truncated file without extra rows, or fails with a TfxioError that names it, and closes",
      run: async () => {
        const whole = fixture.sources.at(-1) ?? new Uint8Array();
        const lengths = new Set([...CUTS.map((part) => Math.floor(part * whole.length)), whole.length - 1]);
        for (const length of lengths) {
          if (length < 0 || length === whole.length) continue;
          const sources = [...fixture.sources.slice(0, -1), whole.slice(0, length)];
          await withOpened({ format, fixture: { ...fixture, sources } }, async (opened) => {
            const what = `a source cut to ${length} of its ${whole.length} bytes`;
            await checkCutRead(opened, rows.length, what);
            opened.checkNothingOpen(`after reading ${what}`);
          });
        }
      },
    },
  ];
}

/** Reads a truncated source. It must yield at most the rows of the whole source, or fail with a `TfxioError` that names it. */
async function checkCutRead(opened: OpenedFixture, numRows: number, what: string): Promise<void> {
  try {
    const found = await readRows(await opened.plan());
    check(found.length <= numRows, `${what} gave ${found.length} rows, but the whole source has ${numRows}`);
  } catch (error) {
    check(isTfxioError(error), `${what} must fail with a TfxioError, but failed with ${String(error)}`);
    checkUri(error, opened, what);
  }
}

/** Creates checks that broken bytes fail as the fixture declares, in a second read of the same reader too. */
export function brokenChecks<Options extends object>(
  subject: Subject<Options>,
  { error: { code, reason } }: BrokenFixture<Options>,
): FormatCheck[] {
  return [
    {
      name: `fails with ${code}, names the source, and closes`,
      run: () =>
        withOpened(subject, async (opened) => {
          for (const attempt of ["the first read", "the second read"]) {
            const read = async (): Promise<unknown> => readRows(await opened.plan());
            const error = await codedRejectionOf(read, attempt, code);
            check(
              reason === undefined || error.reason === reason,
              `${attempt} must fail for "${reason}", but failed for "${error.reason}"`,
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
    `${what}: the error's "uri" must name its source, but is ${String(uri)}: ${error.message}`,
  );
}
