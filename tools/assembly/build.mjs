// `node tools/assembly/build.mjs`: compiles the kernels of all packages and writes the modules that contain them.
// `node tools/assembly/build.mjs SOURCE FILE [OPTION…]`: compiles a folder of sources into a file, with additional asc options.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const packages = path.join(import.meta.dirname, "..", "..", "packages");
const wire = path.join(packages, "wire");
const csv = path.join(packages, "formats-csv");
const protobuf = path.join(packages, "formats-protobuf");
const records = path.join(wire, "assembly");
const kernels = path.join(wire, "src", "kernels");
const require = createRequire(import.meta.url);

/** Options of asc for shared memory. The kernel imports its memory, which is all zeros, so the module omits static zeros. */
const sharedMemory =
  "--enable threads --importMemory --sharedMemory --maximumMemory 65536 --zeroFilledMemory";

/**
 * All modules. Each has the folder of its sources, the file that contains it, the name of its export, and additional asc options.
 * @type {readonly { readonly source: string, readonly carrier: string, readonly name: string, readonly options?: readonly string[] }[]}
 */
export const wasmModules = [
  { source: records, carrier: path.join(kernels, "wasm", "kernel-wasm.ts"), name: "kernelWasmBase64" },
  {
    source: records,
    carrier: path.join(kernels, "wasm", "shared-kernel-wasm.ts"),
    name: "sharedKernelWasmBase64",
    options: sharedMemory.split(" "),
  },
  {
    source: path.join(wire, "assembly-arrays"),
    carrier: path.join(kernels, "arrays", "wasm", "array-wasm.ts"),
    name: "arrayWasmBase64",
  },
  {
    source: path.join(csv, "assembly"),
    carrier: path.join(csv, "src", "kernels", "wasm", "csv-wasm.ts"),
    name: "csvWasmBase64",
  },
  {
    source: path.join(protobuf, "assembly"),
    carrier: path.join(protobuf, "src", "kernels", "wasm", "message-wasm.ts"),
    name: "messageWasmBase64",
  },
];

/**
 * Compiles kernels to WebAssembly. The sources have the extension `.as`, because tools for TypeScript reject decorators on
 * functions. asc accepts only `.ts`, so it compiles copies with that extension.
 * @param {{ source: string, options?: readonly string[] }} settings folder of the sources, and additional asc options
 * @returns {Buffer}
 */
export function compileAssembly({ source, options = [] }) {
  const temporary = mkdtempSync(path.join(tmpdir(), "tfxio-asc-"));
  try {
    for (const name of readdirSync(source)) {
      const { name: stem, ext } = path.parse(name);
      if (ext === ".as") copyFileSync(path.join(source, name), path.join(temporary, `${stem}.ts`));
    }
    copyFileSync(path.join(source, "asconfig.json"), path.join(temporary, "asconfig.json"));
    const file = path.join(temporary, "kernel.wasm");
    const asc = path.join(path.dirname(require.resolve("assemblyscript/package.json")), "bin", "asc.js");
    const parameters = [asc, "--config", "asconfig.json", "--target", "release", "-o", file, ...options];
    execFileSync(process.execPath, parameters, { cwd: temporary, stdio: ["ignore", "pipe", "pipe"] });
    return readFileSync(file);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * Returns the text of the TypeScript file that contains a compiled module in base64.
 * @param {Buffer} wasm
 * @param {{ readonly source: string, readonly name: string }} module one of {@link wasmModules}
 */
export function carrierOf(wasm, { source, name }) {
  return `// Made by \`pnpm generate\` from ${path.basename(source)}/: do not edit.

/** The compiled kernels; sha256 ${createHash("sha256").update(wasm).digest("hex")}. */
export const ${name}: string =
  "${wasm.toString("base64")}";
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [source, file, ...options] = process.argv.slice(2);
  if (source !== undefined && file !== undefined) writeFileSync(file, compileAssembly({ source, options }));
  else
    for (const module of wasmModules)
      writeFileSync(module.carrier, carrierOf(compileAssembly(module), module));
}
