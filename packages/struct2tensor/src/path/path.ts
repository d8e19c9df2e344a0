import { ArgumentError } from "@tfxio/wire";
import { aList, assertArgument, aString } from "@tfxio/wire/checks";
import { badPath, isStep, splitSteps } from "./step.js";

/** One step of a path: a field, `map[key]`, `(full.name)` of an extension or of the type in an Any; or a nameless number. */
export type Step = string | number;

/** Options of {@link Path.of}. */
export interface PathOptions {
  /** Default false: steps must be valid in a text path. True allows any text, which {@link Path.parse} never returns. */
  readonly lenient?: boolean | undefined;
}

/**
 * Address of a field in nested data, from the root: names of messages, then of a field. Immutable.
 * @see struct2tensor `path.Path`
 */
export class Path {
  /** Steps from the outermost to the innermost; empty for the root. */
  readonly steps: readonly Step[];

  private constructor(steps: readonly Step[]) {
    this.steps = Object.freeze([...steps]);
  }

  /** @throws {ArgumentError} `invalid-argument` (`column-path`) for a step that text paths cannot have, unless `lenient`. */
  static of(steps: readonly Step[], { lenient = false }: PathOptions = {}): Path {
    assertArgument("steps", steps, aList);
    for (const step of steps) {
      const isUsable = typeof step === "number" ? Number.isSafeInteger(step) : lenient || isStep(step);
      if (!isUsable) throw badPath(steps.join("."), step);
    }
    return new Path(steps);
  }

  /**
   * The path that a text such as `stop.pick[red].(shop.Order).sku` stands for; empty text is the root.
   * @throws {ArgumentError} `invalid-argument` (`column-path`) for empty steps, stray brackets and other characters.
   */
  static parse(text: string): Path {
    assertArgument("text", text, aString);
    return new Path(splitSteps(text));
  }

  /** The path itself, or the one that a text stands for. */
  static from(path: Path | string): Path {
    if (path instanceof Path) return path;
    if (typeof path === "string") return Path.parse(path);
    throw badPath(String(path), String(path));
  }

  /** Number of steps. */
  get length(): number {
    return this.steps.length;
  }

  /** Path without the last step. @throws {ArgumentError} `invalid-argument` (`empty-path`) for the root. */
  parent(): Path {
    return new Path(this.steps.slice(0, this.#lastIndex()));
  }

  /** The last step. @throws {ArgumentError} `invalid-argument` (`empty-path`) for the root. */
  last(): Step {
    return this.steps[this.#lastIndex()]!;
  }

  /** Path with `step` appended; the step is taken as it is. */
  child(step: Step): Path {
    return new Path([...this.steps, step]);
  }

  /** This path with another below it. */
  join(below: Path): Path {
    return new Path([...this.steps, ...below.steps]);
  }

  /** The steps before index `end`; a negative index counts from the end, as in `Array.prototype.slice`. */
  prefix(end: number): Path {
    return new Path(this.steps.slice(0, end));
  }

  /** The steps from index `start` on; a negative index counts from the end, as in `Array.prototype.slice`. */
  suffix(start: number): Path {
    return new Path(this.steps.slice(start));
  }

  /** True if the other path begins with all steps of this one, or equals it. */
  isPrefixOf(other: Path): boolean {
    return this.steps.every((step, index) => step === other.steps[index]);
  }

  /** The longest common prefix of both paths. */
  commonAncestor(other: Path): Path {
    const differs = this.steps.findIndex((step, index) => step !== other.steps[index]);
    return differs < 0 ? this : this.prefix(differs);
  }

  /** Order for `sort`: step by step, nameless numbers after names, and a path before those below it. */
  static compare(this: void, a: Path, b: Path): number {
    const shared = Math.min(a.length, b.length);
    for (let index = 0; index < shared; index++) {
      const order = compareSteps(a.steps[index]!, b.steps[index]!);
      if (order !== 0) return order;
    }
    return Math.sign(a.length - b.length);
  }

  /** Steps joined with dots; the inverse of {@link Path.parse} for paths without lenient steps and numbers. */
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

/** Names in the order of their code units; numbers after names. */
export function compareSteps(a: Step, b: Step): number {
  if (typeof a !== typeof b) return typeof a === "number" ? 1 : -1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The paths that are not a prefix of another: `stop.pick` is left out beside `stop.pick.sku`. Sorted and unique. */
export function deepestPaths(paths: readonly Path[]): readonly Path[] {
  assertArgument("paths", paths, aList);
  const sorted = [...paths].sort(Path.compare);
  // A path sorts right before those below it, and before its equals.
  return sorted.filter((path, index) => {
    const next = sorted[index + 1];
    return path.length > 0 && (next === undefined || !path.isPrefixOf(next));
  });
}
