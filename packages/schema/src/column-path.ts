import { create } from "@bufbuild/protobuf";
import { ArgumentError } from "@tfxio/wire";
import { type Path, PathSchema } from "./generated/tensorflow_metadata/proto/v0/path_pb.js";

// The syntax of TFMD's serialized paths (AnomalyNameFormat SERIALIZED_PATH). PLAIN_STEP matches an entire step that needs no
// quotes. NEXT_STEP matches one step of a path, quoted or not, and the dot or end after it. A step in parentheses names a
// proto extension.
const PLAIN_STEP = /^(?:\([^()]*\)|[^().']+)$/u;
const NEXT_STEP = /(?:'((?:''|[^'])*)'|(\([^()]*\)|[^().']+))(\.|$)/uy;

/**
 * Address of a feature or column: a top-level name, then one name for each level of struct below it.
 * Immutable. Lists are not steps: `["user", "age"]` addresses `age` whether `user` is one struct or a list of structs.
 * @see tfx_bsl `tfxio.column_path.ColumnPath`
 */
export class ColumnPath {
  /** Names from the outermost to the innermost; empty for the root. */
  readonly steps: readonly string[];

  /** Copies `steps`. A dot in a step is an ordinary character. To split a string at its dots, use {@link ColumnPath.parse}. */
  constructor(steps: readonly string[]) {
    this.steps = Object.freeze([...steps]);
  }

  /** Creates a path from its steps: `ColumnPath.of("user", "age")`. */
  static of(...steps: readonly string[]): ColumnPath {
    return new ColumnPath(steps);
  }

  /**
   * Parses the result of {@link ColumnPath.toString}. `user.age` has the steps `user` and `age`; `'a.b'.c` has the steps `a.b`
   * and `c`. The empty string is the root.
   * @throws {ArgumentError} `invalid-argument`, reason `column-path`, for invalid syntax, such as an empty step without quotes,
   *   unbalanced quotes, or a step that is only partly in parentheses.
   */
  static parse(dotted: string): ColumnPath {
    if (dotted === "") return new ColumnPath([]);
    const steps: string[] = [];
    let position = 0;
    for (;;) {
      NEXT_STEP.lastIndex = position;
      const match = NEXT_STEP.exec(dotted);
      if (match === null) {
        throw new ArgumentError(
          "invalid-argument",
          `"${dotted}" is not a column path: expected a step at offset ${position}. A step must be enclosed in single quotes ` +
            "if it is empty or contains a dot, a parenthesis or a single quote; double each single quote inside the step. " +
            "An extension such as (shop.priority) needs no quotes.",
          { reason: "column-path", argument: "dotted" },
        );
      }
      const [whole, quoted, plain, delimiter] = match;
      steps.push(plain ?? (quoted ?? "").replaceAll("''", "'"));
      position += whole.length;
      if (delimiter === "") return new ColumnPath(steps);
    }
  }

  /** Copies the steps of a TFMD `Path`. */
  static fromProto(path: Path): ColumnPath {
    return new ColumnPath(path.step);
  }

  /** Creates a TFMD `Path` with the same steps. */
  toProto(): Path {
    return create(PathSchema, { step: [...this.steps] });
  }

  /** Number of steps; 0 for the root. */
  get length(): number {
    return this.steps.length;
  }

  /** Returns the first step. @throws {ArgumentError} `invalid-argument`, reason `empty-path`, for the root. */
  initialStep(): string {
    return this.steps[0] ?? throwEmptyPath("initialStep");
  }

  /** Returns the path without its last step. @throws {ArgumentError} `invalid-argument`, reason `empty-path`, for the root. */
  parent(): ColumnPath {
    if (this.steps.length === 0) throwEmptyPath("parent");
    return new ColumnPath(this.steps.slice(0, -1));
  }

  /** Returns the path with `step` appended. */
  child(step: string): ColumnPath {
    return new ColumnPath([...this.steps, step]);
  }

  /** Returns the path of the steps before index `end`. A negative index counts from the end, as in `Array.prototype.slice`. */
  prefix(end: number): ColumnPath {
    return new ColumnPath(this.steps.slice(0, end));
  }

  /** Returns the path of the steps from index `start` on. A negative index counts from the end, as in `Array.prototype.slice`. */
  suffix(start: number): ColumnPath {
    return new ColumnPath(this.steps.slice(start));
  }

  /**
   * Joins the steps with dots. A step is enclosed in single quotes if it is empty or contains a dot, a parenthesis or a
   * single quote; each single quote inside it is doubled. A step that is entirely in one pair of parentheses names a proto
   * extension and stays unquoted. Different paths have different strings, so the result can serve as a map key. TFMD's
   * anomalies name features in the same notation.
   */
  toString(): string {
    return this.steps
      .map((step) => (PLAIN_STEP.test(step) ? step : `'${step.replaceAll("'", "''")}'`))
      .join(".");
  }

  /** Returns whether both paths have the same steps. */
  equals(other: ColumnPath): boolean {
    return ColumnPath.compare(this, other) === 0;
  }

  /** Compares paths step by step in UTF-8 byte order, for `sort`. A prefix sorts before longer paths. */
  static compare(this: void, a: ColumnPath, b: ColumnPath): number {
    const shared = Math.min(a.length, b.length);
    for (let i = 0; i < shared; i++) {
      const order = compareNames(a.steps[i] ?? "", b.steps[i] ?? "");
      if (order !== 0) return order;
    }
    return a.length - b.length;
  }
}

/** @param member Name of the method that requires a step. */
function throwEmptyPath(member: string): never {
  throw new ArgumentError("invalid-argument", `The empty column path has no ${member}.`, {
    reason: "empty-path",
  });
}

/**
 * Compares names in UTF-8 byte order, which is the order of code points. JavaScript's `<` compares UTF-16 code units, which gives
 * a different order when a surrogate is compared with a unit from U+E000 to U+FFFF. Returns a negative number, 0 or a positive
 * number, as `sort` expects.
 */
function compareNames(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Ranks surrogates, the halves of code points above U+FFFF, after all other code units. */
function codePointRank(codeUnit: number): number {
  return codeUnit >= 0xd800 && codeUnit <= 0xdfff ? codeUnit + 0x10000 : codeUnit;
}
