import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** The families of vectors; each has its own file form and its own error categories. */
export type Family = "tfx-bsl" | "dataset" | "struct2tensor" | "tfdv";

/** One case, whatever the form of its file. */
export interface VectorCase {
  readonly family: Family;
  readonly group: string;
  readonly op: string;
  readonly name: string;
  /** The case as it stands in the file. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Text of another file in the case's folder, for cases that refer to one. Handlers run in browsers too: they read no files. */
  readonly readBeside?: (name: string) => string;
}

/** A path that cannot be run: the caller's mistake, exit code 2. */
export class VectorFileError extends Error {
  override readonly name = "VectorFileError";
}

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objects(value: unknown): Json[] | undefined {
  return Array.isArray(value) && value.every(isObject) ? value : undefined;
}

/** The cases of a parsed file, or undefined when it has none of the four forms. */
function casesOf(content: unknown, file: string): VectorCase[] | undefined {
  if (!isObject(content)) return undefined;
  const cases = objects(content["cases"]);
  const vectors = objects(content["vectors"]);
  const baseName = path.basename(file, ".json");
  if (content["format"] === "tfxio-vectors/1" && cases !== undefined) {
    return cases.map((body) => ({
      family: "tfx-bsl",
      group: String(content["group"]),
      op: String(body["op"]),
      name: String(body["name"]),
      body,
    }));
  }
  if (content["format"] === "tfxio-dataset-vectors/1" && vectors !== undefined) {
    return vectors.map((body) => ({
      family: "dataset",
      group: baseName,
      op: String(body["area"]),
      name: String(body["id"]),
      body,
    }));
  }
  if (typeof content["category"] === "string" && cases !== undefined) {
    const group = content["category"];
    return cases.map((body) => ({
      family: "struct2tensor",
      group,
      op: group,
      name: String(body["id"]),
      body,
      readBeside: (name) => readFileSync(path.join(path.dirname(file), name), "utf8"),
    }));
  }
  if (vectors !== undefined && "source" in content && vectors.every((body) => "id" in body)) {
    return vectors.map((body) => ({
      family: "tfdv",
      group: baseName,
      // Some cases exercise several functions.
      op: [body["op"]].flat().join("+"),
      name: String(body["id"]),
      body,
    }));
  }
  return undefined;
}

function readVectorFile(file: string): VectorCase[] | undefined {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new VectorFileError(`${file}: not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return casesOf(content, file);
}

/**
 * The cases of files and, for directories, of every vector file in them (other JSON there is left alone).
 * @throws {VectorFileError} when a path does not exist, or a named file is no vector file.
 */
export function readCases(paths: readonly string[]): VectorCase[] {
  return paths.flatMap((given) => {
    if (!existsSync(given)) throw new VectorFileError(`${given}: no such file or directory`);
    if (!statSync(given).isDirectory()) {
      const cases = readVectorFile(given);
      if (cases === undefined) throw new VectorFileError(`${given}: not a vector file of a known form`);
      return cases;
    }
    return readdirSync(given, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".json"))
      .sort()
      .flatMap((name) => readVectorFile(path.join(given, name)) ?? []);
  });
}
