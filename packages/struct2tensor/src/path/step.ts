import { ArgumentError } from "@tfxio/wire";

// A name with an optional [key], whose text may be anything but a closing bracket; or a full name in parentheses.
const NAME = String.raw`[A-Za-z0-9_-]+`;
const STEP = String.raw`${NAME}(?:\[[^\]]*\])?|\(${NAME}(?:[./]${NAME})*\)`;
const WHOLE_STEP = new RegExp(`^(?:${STEP})$`, "u");
const NEXT_STEP = new RegExp(`(${STEP})(\\.|$)`, "uy");
const NAMED_STEP = /^\((?:[^()]*\/)?([^()/]+)\)$/u;

/** True for a step that a text path can have. */
export function isStep(step: string): boolean {
  return WHOLE_STEP.test(step);
}

/** Splits a text path into steps. Dots inside brackets and parentheses do not separate steps. */
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

/** The `full.Name` in a step `(full.Name)` or `(prefix/full.Name)`, a type or extension. Undefined for other steps. */
export function typeNameOfStep(step: string): string | undefined {
  return NAMED_STEP.exec(step)?.[1];
}

/** The error for an invalid text path. @param found the part that is not a step. */
export function badPath(path: string, found: unknown): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `"${path}" is not a path: expected a name, name[key] or (full.Name), found "${String(found)}".`,
    { reason: "column-path", argument: "path" },
  );
}
