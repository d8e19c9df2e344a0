import type { ExpectedTypeSpec } from "./expected-type-spec.js";
import type { SchemaExplanation } from "./explain.js";
import { assertExplanation } from "./argument-rules.js";

/**
 * Formats an explanation as tables for a terminal. The first table lists each tensor with its name, spec, source columns and
 * reason. A tensor's problems follow on separate lines. If features lack a tensor, a second table lists them with the reason and
 * the remedy. `?` marks a size that is unknown or varies. The text has no trailing line break.
 * @throws {ArgumentError} `invalid-argument` unless `explanation` is a result of `explain`.
 */
export function formatExplanation(explanation: SchemaExplanation): string {
  assertExplanation(explanation);
  const { tensors, featuresWithoutTensor } = explanation;
  const rows = tensors.map((tensor) => ({
    cells: [tensor.tensorName, formatSpec(tensor.spec), tensor.sourceColumns.join(", "), tensor.why],
    notes: tensor.problems.map((problem) => `! ${problem}`),
  }));
  const sections = [table(["tensor", "spec", "made of", "because"], rows)];
  if (featuresWithoutTensor.length > 0) {
    const features = featuresWithoutTensor.map(({ path, isError, why, advice }) => ({
      cells: [path.toString(), isError ? "error" : "left out", why],
      notes: [`→ ${advice}`],
    }));
    sections.push(table(["feature", "no tensor", "because"], features));
  }
  return sections.join("\n\n");
}

interface Row {
  readonly cells: readonly string[];
  /** Lines below the row, indented by two spaces. */
  readonly notes: readonly string[];
}

/** Formats rows in columns that are two spaces apart, without trailing spaces. */
function table(header: readonly string[], rows: readonly Row[]): string {
  const widths = header.map((title, column) =>
    Math.max(widthOf(title), ...rows.map(({ cells }) => widthOf(cells[column] ?? ""))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell))))
      .join("  ")
      .trimEnd();
  return [
    line(header),
    ...rows.flatMap(({ cells, notes }) => [line(cells), ...notes.map((note) => `  ${note}`)]),
  ].join("\n");
}

/** Counts code points, an approximation of the width on a terminal. */
function widthOf(text: string): number {
  return Array.from(text).length;
}

/** Formats a spec as in `ragged int64 [?, ?] (ragged rank 1)`. */
function formatSpec({ kind, dtype, shape, raggedRank }: ExpectedTypeSpec): string {
  const form = kind === "tensor" ? "dense" : (kind ?? "unknown");
  const sizes = shape.map((size) => size ?? "?").join(", ");
  return `${form} ${dtype ?? "untyped"} [${sizes}]${raggedRank === undefined ? "" : ` (ragged rank ${raggedRank})`}`;
}
