import { ArgumentError } from "@tfxio/wire";

// A step is a name with an optional [key], or a full name in parentheses. The key may contain any character except "]".
const NAME = String.raw`[A-Za-z0-9_-]+`;
const STEP = String.raw`${NAME}(?:\[[^\]]*\])?|\(${NAME}(?:[./]${NAME})*\)`;
const WHOLE_STEP = new RegExp(`^(?:${STEP})$`, "u");
/** Sticky: matches the step at `lastIndex`, together with the dot after it or the end of the text. */
const NEXT_STEP = new RegExp(`(${STEP})(\\.|$)`, "uy");
/** Captures the full name in parentheses, without a type URL prefix such as `type.googleapis.com/`. */
const NAMED_STEP = /^\((?:[^()]*\/)?([^()/]+)\)$/u;

/** Returns true for a step that is valid in a text path. */
export function isStep(step: string): boolean {
  return WHOLE_STEP.test(step);
}

/**
 * Splits a text path into steps. Dots inside brackets and parentheses do not separate steps.
 * @throws {ArgumentError} `invalid-argument` (`column-path`).
 */
export function splitSteps(text: string): string[] {
  const steps: string[] = [];
  let position = 0;
  while (position < text.length) {
    NEXT_STEP.lastIndex = position;
    const match = NEXT_STEP.exec(text);
    const [whole = "", step = "", delimiter] = match ?? [];
    const isCut = delimiter === "." && position + whole.length === text.length;
    if (match === null || isCut) throw badPath(text, text.slice(position));
    steps.push(step);
    position += whole.length;
  }
  return steps;
}

/** Returns the full name of the type or extension in a step `(full.Name)` or `(prefix/full.Name)`. Undefined for other steps. */
export function typeNameOfStep(step: string): string | undefined {
  return NAMED_STEP.exec(step)?.[1];
}

/** Creates the error for an invalid text path. @param found the part that is not a step. */
export function badPath(path: string, found: unknown): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `"${path}" is not a path: expected a name, name[key] or (full.Name), found "${String(found)}".`,
    { reason: "column-path", argument: "path" },
  );
}
