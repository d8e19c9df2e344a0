import { readFileSync } from "node:fs";
import { parseSync } from "@swc/core";

/** One module specifier in a source file. */
export interface ImportedModule {
  readonly specifier: string;
  /** True if the compiler removes the import: `import type`, `export type … from`, or `import("…")` in a type. */
  readonly typeOnly: boolean;
}

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

function stringValue(node: unknown): string | undefined {
  return isNode(node) && node["type"] === "StringLiteral" ? String(node["value"]) : undefined;
}

/** Returns the module that a node of swc's syntax tree imports or re-exports; undefined for other nodes. */
function importOf(
  node: Node,
): { readonly specifier: string | undefined; readonly typeOnly: boolean } | undefined {
  switch (node["type"]) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
      return { specifier: stringValue(node["source"]), typeOnly: node["typeOnly"] === true };
    case "ExportAllDeclaration":
      // swc's tree does not distinguish `export type *` from `export *`, so both are treated as run-time imports.
      return { specifier: stringValue(node["source"]), typeOnly: false };
    case "TsImportType":
      return { specifier: stringValue(node["argument"]), typeOnly: true };
    case "TsExternalModuleReference":
      return { specifier: stringValue(node["expression"]), typeOnly: false };
    case "CallExpression": {
      const callee = node["callee"];
      if (!isNode(callee) || callee["type"] !== "Import") return undefined;
      const [first] = node["arguments"] as readonly { readonly expression: unknown }[];
      return { specifier: stringValue(first?.expression), typeOnly: false };
    }
    default:
      return undefined;
  }
}

function collect(value: unknown, into: ImportedModule[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, into);
  } else if (isNode(value)) {
    const found = importOf(value);
    if (found?.specifier !== undefined) into.push({ specifier: found.specifier, typeOnly: found.typeOnly });
    for (const child of Object.values(value)) collect(child, into);
  }
}

// Imports of the files parsed so far, by path. So a file that several rules read is parsed only once.
const cache = new Map<string, { readonly text: string; readonly imports: readonly ImportedModule[] }>();

/** Returns every module that a TypeScript file imports statically, dynamically with a literal, by re-export, or in types. */
export function importsOf(file: string): readonly ImportedModule[] {
  const text = readFileSync(file, "utf8");
  const known = cache.get(file);
  if (known?.text === text) return known.imports;
  const imports: ImportedModule[] = [];
  collect(parseSync(text, { syntax: "typescript", tsx: file.endsWith("x"), target: "es2022" }).body, imports);
  cache.set(file, { text, imports });
  return imports;
}
