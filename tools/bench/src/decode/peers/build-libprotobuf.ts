import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rename, rm } from "node:fs/promises";
import { cpus } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { BenchError } from "../../measurement.js";

const root = path.join(import.meta.dirname, "../../../../..");
const native = path.join(root, "tools/bench/native");
const protos = path.join(root, "proto");
const exampleProto = "tensorflow/core/example/example.proto";
// This machine's own instructions: whoever builds a C++ reader for speed does the same.
const flags = ["-std=c++17", "-O3", "-march=native", "-DNDEBUG"];

/**
 * Builds the C++ program of `native/` and resolves to its path; a program that was built from the same sources is used
 * again.
 * @param environment says where the tools are.
 * @throws {BenchError} when protoc, g++ or libprotobuf's headers are missing, with what the tool said.
 */
export async function buildLibprotobuf(
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const tool = (name: string, args: readonly string[]) => runTool(name, args, environment);
  const program = path.join(folder, `libprotobuf-${await sourceHash()}`);
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  const generated = await mkdtemp(path.join(folder, "libprotobuf-"));
  try {
    const imports = ["-I", native, "-I", protos];
    await tool("protoc", [...imports, `--cpp_out=${generated}`, "protocol.proto", exampleProto]);
    const messages = ["protocol.pb.cc", exampleProto.replace(/\.proto$/, ".pb.cc")];
    const built = path.join(generated, "decode");
    const headers = ["-I", generated, "-I", native];
    const sources = [path.join(native, "decode.cc"), ...messages.map((name) => path.join(generated, name))];
    await tool("g++", [...flags, ...headers, ...sources, "-lprotobuf", "-o", built]);
    await rename(built, program);
  } finally {
    await rm(generated, { recursive: true });
  }
  return program;
}

async function sourceHash(): Promise<string> {
  const hash = createHash("sha256").update(`${flags.join(" ")} ${cpus()[0]?.model}`);
  const sources = (await readdir(native)).sort().map((name) => path.join(native, name));
  for (const source of [...sources, path.join(protos, exampleProto)]) hash.update(await readFile(source));
  return hash.digest("hex").slice(0, 16);
}

async function runTool(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  try {
    await promisify(execFile)(program, args, { env: environment });
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    if (code === "ENOENT") throw new BenchError(`no ${program}; it takes g++, protoc and libprotobuf-dev`);
    const complaint = stderr?.split("\n").find((line) => line.includes("error")) ?? stderr?.trim();
    throw new BenchError(`${program}: ${complaint || String(code)}`);
  }
}
