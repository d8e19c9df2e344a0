import type { Reporter } from "../interop.js";
import type { ListedDifferences } from "./listed-differences.js";

/** JSON of an answer: a plain value, or `{ error }` if a side refuses. */
export type Json = Readonly<Record<string, unknown>>;

/** One comparison: the answer of tfx_bsl, and a function that compares an answer with ours. */
export interface Question {
  readonly what: string;
  readonly theirs: Json;
  /** The first difference between an answer and ours, in words; undefined if they are equal. */
  readonly differenceTo: (theirs: Json) => Promise<string | undefined> | string | undefined;
  /** The input of the case, to reproduce it. Printed with a failure. */
  readonly details?: (() => string) | undefined;
}

/** At most this many differences of a block are printed. */
const maxPrinted = 10;

/** The difference that a question shows; undefined if there is none, or if it is listed. */
async function unlistedDifference(
  area: string,
  { what, theirs, differenceTo }: Question,
  listed: ListedDifferences,
): Promise<string | undefined> {
  const difference = await differenceTo(theirs);
  if (difference === undefined || listed.covers({ area, what, difference })) return undefined;
  return difference;
}

/** Reports each question as a check. */
export async function reportEach(
  area: string,
  questions: readonly Question[],
  listed: ListedDifferences,
  report: Reporter,
): Promise<void> {
  for (const question of questions) {
    const difference = await unlistedDifference(area, question, listed);
    if (difference === undefined) report.passed(`${area}, ${question.what}`);
    else report.failed(`${area}, ${question.what}`, difference);
  }
}

/** Reports questions as one check, with a line for each of the first that differ. */
export async function reportTogether(
  area: string,
  questions: readonly Question[],
  listed: ListedDifferences,
  report: Reporter,
): Promise<void> {
  let numDifferent = 0;
  for (const question of questions) {
    const difference = await unlistedDifference(area, question, listed);
    if (difference === undefined) continue;
    numDifferent++;
    if (numDifferent > maxPrinted) continue;
    const details = question.details === undefined ? "" : `; ${question.details()}`;
    report.failed(`${area}, ${question.what}`, difference + details);
  }
  if (numDifferent === 0) report.passed(`${area}: ${questions.length} comparisons`);
  else report.note(`${area}: ${numDifferent} of ${questions.length} comparisons differ`);
}
