import { ArgumentError } from "@tfxio/wire";
import { aList, assertArgument, aString } from "@tfxio/wire/checks";
import { badPath, isStep, splitSteps } from "./step.js";

/**
 * One step of a path: a field name, `map[key]`, or `(full.name)` for an extension or for the message type inside an Any. A number
 * identifies a field without a name.
 */
export type Step = string | number;

/** Options of {@link Path.of}. */
export interface PathOptions {
  /**
   * True allows any text as a step, including steps that {@link Path.parse} cannot read. Default false: such a step is an error.
   */
  readonly lenient?: boolean | undefined;
}

/**
 * Address of a field in nested data: the names of the enclosing message fields from the root inward, then the name of the field.
 * Immutable.
 * @see struct2tensor `path.Path`
 */
export class Path {
  /** Steps from the outermost to the innermost; empty for the root. */
  readonly steps: readonly Step[];

  private constructor(steps: readonly Step[]) {
    this.steps = Object.freeze([...steps]);
  }

  /**
   * Creates a path from its steps, which are copied.
   * @throws {ArgumentError} `invalid-argument` (`column-path`) for a step that is not valid in a text path, unless `lenient` is
   *   true, and for a number that is not a safe integer.
   */
  static of(steps: readonly Step[], { lenient = false }: PathOptions = {}): Path {
    assertArgument("steps", steps, aList);
    for (const step of steps) {
      const isUsable = typeof step === "number" ? Number.isSafeInteger(step) : lenient || isStep(step);
      if (!isUsable) throw badPath(steps.join("."), step);
    }
    return new Path(steps);
  }

  /**
   * Parses a text path such as `stop.pick[red].(shop.Order).sku`. Empty text is the root.
   * @throws {ArgumentError} `invalid-argument` (`column-path`) for empty steps, stray brackets and invalid characters.
   */
  static parse(text: string): Path {
    assertArgument("text", text, aString);
    return new Path(splitSteps(text));
  }

  /**
   * Returns a {@link Path} unchanged, and parses a text path.
   * @throws {ArgumentError} `invalid-argument` (`column-path`) for an invalid text path, and for any other value.
   */
  static from(path: Path | string): Path {
    if (path instanceof Path) return path;
    if (typeof path === "string") return Path.parse(path);
    throw badPath(String(path), String(path));
  }

  /** Number of steps; 0 for the root. */
  get length(): number {
    return this.steps.length;
  }

  /** Returns the path without its last step. @throws {ArgumentError} `invalid-argument` (`empty-path`) for the root. */
  parent(): Path {
    return new Path(this.steps.slice(0, this.#lastIndex()));
  }

  /** Returns the last step. @throws {ArgumentError} `invalid-argument` (`empty-path`) for the root. */
  last(): Step {
    return this.steps[this.#lastIndex()]!;
  }

  /** Returns the path with `step` appended. The step is not checked. */
  child(step: Step): Path {
    return new Path([...this.steps, step]);
  }

  /** Returns this path with the steps of `below` appended. */
  join(below: Path): Path {
    return new Path([...this.steps, ...below.steps]);
  }

  /** Returns the path of the steps before index `end`. A negative index counts from the end, as in `Array.prototype.slice`. */
  prefix(end: number): Path {
    return new Path(this.steps.slice(0, end));
  }

  /** Returns the path of the steps from index `start`. A negative index counts from the end, as in `Array.prototype.slice`. */
  suffix(start: number): Path {
    return new Path(this.steps.slice(start));
  }

  /** Returns true if `other` begins with all steps of this path. So every path is a prefix of itself. */
  isPrefixOf(other: Path): boolean {
    return this.steps.every((step, index) => step === other.steps[index]);
  }

  /** Returns the longest path with which both paths begin; the root if their first steps differ. */
  commonAncestor(other: Path): Path {
    const differs = this.steps.findIndex((step, index) => step !== other.steps[index]);
    return differs < 0 ? this : this.prefix(differs);
  }

  /**
   * Compares two paths for `Array.prototype.sort`, step by step, like {@link compareSteps}. A path precedes the paths below it.
   */
  static compare(this: void, a: Path, b: Path): number {
    const shared = Math.min(a.length, b.length);
    for (let index = 0; index < shared; index++) {
      const order = compareSteps(a.steps[index]!, b.steps[index]!);
      if (order !== 0) return order;
    }
    return Math.sign(a.length - b.length);
  }

  /** Returns the steps joined with dots. {@link Path.parse} restores the path, unless a step is a number or needs `lenient`. */
  toString(): string {
    return this.steps.join(".");
  }

  #lastIndex(): number {
    if (this.steps.length > 0) return this.steps.length - 1;
    throw new ArgumentError("invalid-argument", "The root has no parent and no last step.", {
      reason: "empty-path",
      argument: "path",
    });
  }
}

/** Compares two steps for `Array.prototype.sort`: names by their UTF-16 code units, then numbers by value. */
export function compareSteps(a: Step, b: Step): number {
  if (typeof a !== typeof b) return typeof a === "number" ? 1 : -1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Returns the paths in sorted order, without duplicates and without prefixes of other paths. For example, `stop.pick` is left out
 * if the list has `stop.pick.sku`. The root is always left out.
 */
export function deepestPaths(paths: readonly Path[]): readonly Path[] {
  assertArgument("paths", paths, aList);
  const sorted = [...paths].sort(Path.compare);
  // After sorting, a path directly precedes its duplicates and the paths below it.
  return sorted.filter((path, index) => {
    const next = sorted[index + 1];
    return path.length > 0 && (next === undefined || !path.isPrefixOf(next));
  });
}
