import type { ColumnPath } from "../column-path.js";

/** Words of the grammar, in lower case. A column name that is one of them must be quoted. */
const reservedWords: ReadonlySet<string> = new Set(["and", "or", "not", "in", "is", "null", "true", "false"]);

/** A step without quotes. It contains no operator, parenthesis, comma, quote or white space, and does not begin like a number. */
const PLAIN_STEP = String.raw`[\p{L}_#$@][\p{L}\p{M}\p{N}_#$@:/-]*`;
const QUOTED_STEP = String.raw`'(?:''|[^'])*'`;
const STEP = `(?:${QUOTED_STEP}|${PLAIN_STEP})`;

/** Matches a column path or a reserved word. Sticky, so set `lastIndex` first. */
export const NAME: RegExp = new RegExp(`${STEP}(?:\\.${STEP})*`, "uy");

const WHOLE_PLAIN_STEP = new RegExp(`^${PLAIN_STEP}$`, "u");

/** Returns `text` in lower case if it is a reserved word, otherwise undefined. */
export function reservedWord(text: string): string | undefined {
  const word = text.toLowerCase();
  return reservedWords.has(word) ? word : undefined;
}

/** Formats a column like `ColumnPath.toString`, but also quotes steps that the predicate grammar could misread. */
export function formatColumn(column: ColumnPath): string {
  return column.steps
    .map((step) =>
      WHOLE_PLAIN_STEP.test(step) && reservedWord(step) === undefined
        ? step
        : `'${step.replaceAll("'", "''")}'`,
    )
    .join(".");
}
