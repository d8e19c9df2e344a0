import type { AdapterExplanation, TensorMemoryExplanation } from "./explain.js";
import { aList, anObject, assertArgument, invalidArgument } from "@tfxio/wire/checks";

const HEADER = ["tensor", "spec", "part", "memory", "because"] as const;

/**
 * Formats an explanation as a table for a terminal. Each tensor has one line per part, and a last line for its form in
 * TensorFlow.js. The tensor's name and spec are in its first line. The layout matches `formatExplanation` of @tfxio/schema. The
 * text has no trailing line break.
 */
export function formatAdapterExplanation(explanation: AdapterExplanation): string {
  assertArgument("explanation", explanation, anObject);
  const { tensors } = explanation;
  assertArgument("explanation.tensors", tensors, aList);
  for (const tensor of tensors) {
    const { spec, parts } = (tensor ?? {}) as Partial<TensorMemoryExplanation>;
    if (typeof spec === "object" && spec !== null && Array.isArray(parts)) continue;
    throw invalidArgument("explanation.tensors", "the tensors that `explain` returns", tensor);
  }
  const rows = tensors.flatMap(({ tensorName, spec, parts, toTensors }) => {
    const shape = (spec.shape ?? ["?"]).map((size) => size ?? "?").join(", ");
    const form = `${spec.kind === "tensor" ? "dense" : spec.kind} ${spec.dtype} [${shape}]`;
    return [
      ...parts.map(({ part, memory, why }, index) =>
        index === 0 ? [tensorName, form, part, memory, why] : ["", "", part, memory, why],
      ),
      ["", "", "tensor", "", toTensors],
    ];
  });
  const all = [HEADER, ...rows];
  const widths = HEADER.map((_, column) =>
    all.reduce((width, cells) => Math.max(width, widthOf(cells[column])), 0),
  );
  return all
    .map((cells) =>
      cells
        .map((cell, column) => cell + " ".repeat((widths[column] as number) - widthOf(cell)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function widthOf(text = ""): number {
  return Array.from(text).length;
}
