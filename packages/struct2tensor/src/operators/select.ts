import { fieldAtPath, findField } from "../expression/find-field.js";
import { type Field, mappedField } from "../expression/graph-node.js";
import { missingPath } from "../expression/errors.js";
import { Path, type Step } from "../path/path.js";
import { SchemaError } from "@tfxio/wire";

// Operators that select fields. They compute nothing, so plans have no node for them.

/**
 * Keeps only the fields at these paths, and the messages that contain them. A path to a message keeps the message, not its
 * fields.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`), naming all missing paths.
 */
export function project(root: Field, paths: readonly Path[]): Field {
  const missing = paths.filter((path) => findField(root, path) === undefined);
  if (missing.length === 1) fieldAtPath(root, missing[0]!);
  if (missing.length > 1) {
    const problems = missing.map((path) => problemOf(root, path));
    throw new SchemaError("schema-mismatch", problems.join(" "), {
      reason: "unknown-column",
      columnPath: missing.join(", "),
    });
  }
  return selected(root, paths);
}

/** Returns the message of the error for one missing path, without its code. */
function problemOf(root: Field, path: Path): string {
  try {
    fieldAtPath(root, path);
  } catch (error) {
    if (error instanceof SchemaError) return error.message.replace("[schema-mismatch] ", "");
    throw error;
  }
  return missingPath(path, root, 0).message;
}

/**
 * Keeps the first step of each path, and selects the remaining steps below it. Drops `typeName`: it marks types that may contain
 * themselves, but a selection has a finite depth.
 */
function selected(field: Field, paths: readonly Path[]): Field {
  const below = new Map<Step, Path[]>();
  for (const path of paths) {
    const [step] = path.steps;
    if (step !== undefined) below.set(step, [...(below.get(step) ?? []), path.suffix(1)]);
  }
  const { typeName: _, ...rest } = field;
  return {
    ...rest,
    child: (step) => {
      const wanted = below.get(step);
      const child = wanted && field.child(step);
      return child && selected(child, wanted);
    },
    knownSteps: () => {
      const known = field.knownSteps();
      const asked = [...below.keys()].filter((step) => !known.includes(step));
      return [...known.filter((step) => below.has(step)), ...asked];
    },
  };
}

/** Keeps only the fields at most `depth` steps below `field`. */
export function limitDepth(field: Field, depth: number): Field {
  const { typeName: _, ...rest } = mappedField(field.node, field, (child) => limitDepth(child, depth - 1));
  const { feature, payload } = field;
  const limited = { ...rest, ...(feature && { feature }), ...(payload && { payload }) };
  return depth > 0 ? limited : { ...limited, child: () => undefined, knownSteps: () => [] };
}
