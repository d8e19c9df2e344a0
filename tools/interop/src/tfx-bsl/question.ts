import type { Reporter } from "../interop.js";
import type { ListedDifferences } from "./listed-differences.js";

/** A JSON object, such as a question or an answer. The answer to a rejected input is `{ error }`. */
export type Json = Readonly<Record<string, unknown>>;

/** One comparison. It has the peer's answer, and a function that compares an answer with ours. */
export interface Question {
  readonly what: string;
  readonly theirs: Json;
  /** Describes the first difference between an answer and ours; undefined if they are equal. */
  readonly differenceTo: (theirs: Json) => Promise<string | undefined> | string | undefined;
  /** Returns the input of the case, which is printed with a failure. */
  readonly details?: (() => string) | undefined;
}

/** Maximum number of differences to print per block of questions. */
const maxPrinted = 10;

/** Returns the difference of a question. Returns undefined if the answers are equal or if their difference is known. */
async function unlistedDifference(
  area: string,
  { what, theirs, differenceTo }: Question,
  listed: ListedDifferences,
): Promise<string | undefined> {
  const difference = await differenceTo(theirs);
  if (difference === undefined || listed.covers({ area, what, difference })) return undefined;
  return difference;
}

/** Reports each question as one check. */
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

/** Reports one passed check if there are no unlisted differences. Otherwise reports the first ten of them as failures. */
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
