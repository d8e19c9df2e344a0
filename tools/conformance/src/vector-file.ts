import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** The families of test vectors. Each family has its own file format and its own error categories. */
export type Family = "tfx-bsl" | "dataset" | "struct2tensor" | "tfdv";

/** One case, in a form that is the same for all families. */
export interface VectorCase {
  readonly family: Family;
  readonly group: string;
  readonly op: string;
  readonly name: string;
  /** The case, unchanged from the file. */
  readonly body: Readonly<Record<string, unknown>>;
  /**
   * Returns the text of a file in the folder of the case's file. Handlers call this instead of reading files, because they also
   * run in browsers.
   */
  readonly readBeside?: (name: string) => string;
}

/** Thrown if a path does not exist or is not a vector file. The exit code is then 2. */
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

/** Returns the cases of a parsed file, or undefined if the file has none of the four forms. */
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
      // `op` is a list in cases that call several functions.
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
    throw new VectorFileError(
      `${file}: cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return casesOf(content, file);
}

/**
 * Reads the cases of files and directories. In a directory and its subdirectories, it reads the files `*.json`, and ignores those
 * that are not vector files.
 * @throws {VectorFileError} if a path does not exist, a named file is not a vector file, or a file that it reads is not JSON.
 */
export function readCases(paths: readonly string[]): VectorCase[] {
  return paths.flatMap((given) => {
    if (!existsSync(given)) throw new VectorFileError(`${given}: no such file or directory`);
    if (!statSync(given).isDirectory()) {
      const cases = readVectorFile(given);
      if (cases === undefined)
        throw new VectorFileError(`${given}: expected a file of test vectors in a known form`);
      return cases;
    }
    return readdirSync(given, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".json"))
      .sort()
      .flatMap((name) => readVectorFile(path.join(given, name)) ?? []);
  });
}
