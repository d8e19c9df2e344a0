import { Path } from "../path/path.js";
import { describeType } from "../prensor/nodes.js";
import type { QuerySource } from "../sources/query-source.js";
import type { PlannedField, PlanNode } from "./canonical.js";
import { sourcePathsOf } from "./source-paths.js";

/** Describes a plan as text: the sources with the fields that they read and skip, then the computations with their inputs. */
export function explainPlan(
  nodes: readonly PlanNode[],
  outputs: readonly (readonly PlannedField[])[],
): string {
  const paths = sourcePathsOf(nodes);
  const reads = nodes
    .filter(({ node }) => node.op === "root")
    .flatMap(({ node }) => {
      const { kind, name } = node.source!;
      const read = paths[name] ?? [];
      const title = `source ${name} (${kind}): reads ${read.length === 0 ? "nothing" : read.length === 1 ? "1 path" : `${read.length} paths`}`;
      return [title, ...read.map((path) => `  ${path}`), ...skippedLines(node.source!, read)];
    });
  const names = new Map<PlanNode, string[]>();
  for (const [index, fields] of outputs.entries()) {
    for (const { path, node } of fields) {
      const name = outputs.length > 1 ? `${index}:${path}` : path.toString();
      names.set(node, [...(names.get(node) ?? []), name === "" ? "the root" : name]);
    }
  }
  const computed = nodes.map((planned) => lineOf(planned, names.get(planned) ?? []));
  return [...reads, "computes", ...computed].join("\n");
}

/** Returns one line for each message from which the query reads some known fields and skips others. */
function skippedLines(source: QuerySource, read: readonly Path[]): readonly string[] {
  const messages = new Map<string, Path>();
  for (const path of read) {
    for (let depth = 0; depth < path.length; depth++) {
      messages.set(path.prefix(depth).toString(), path.prefix(depth));
    }
  }
  return [...messages.values()].sort(Path.compare).flatMap((message) => {
    const steps = new Set(
      read.filter((path) => message.isPrefixOf(path)).map((path) => path.steps[message.length]),
    );
    const skipped = source.fieldNames(message).filter((name) => !steps.has(name));
    const place = message.length === 0 ? "the root" : message.toString();
    return skipped.length === 0 ? [] : [`  skips in ${place}: ${skipped.join(", ")}`];
  });
}

function lineOf({ id, node, inputs, path }: PlanNode, outputs: readonly string[]): string {
  const { op, attrs, type, callback } = node;
  const details = path === undefined ? detailsOf(attrs) : ` ${path}`;
  const from = inputs.length === 0 ? "" : ` of ${inputs.map((input) => `#${input.id}`).join(", ")}`;
  const given = outputs.length === 0 ? "" : ` → ${outputs.join(", ")}`;
  return `  #${id} ${op}${details}${from}: ${describeType(type)}${callback ? ", by a callback" : ""}${given}`;
}

function detailsOf(attrs: object): string {
  return Object.keys(attrs).length === 0 ? "" : ` ${JSON.stringify(attrs)}`;
}
