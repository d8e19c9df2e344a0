// pnpm conformance [--backend NAME] [FILE…]: runs vector files, or directories of vector files. By default, it runs all test
// vectors of the repository. With a TensorFlow.js backend (cpu, wasm, …), tensors are created by and read from that backend.
import { parseArgs } from "node:util";
import { main } from "./main.js";

const { values, positionals, tokens } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  allowPositionals: true,
  strict: false,
  tokens: true,
  options: { backend: { type: "string" } },
});
const unknown = tokens.find((token) => token.kind === "option" && (token.name !== "backend" || !token.value));
if (unknown !== undefined) {
  console.error("conformance: usage: pnpm conformance [--backend NAME] [FILE…]");
  process.exitCode = 2;
} else {
  process.exitCode = await main({
    paths: positionals,
    backend: values.backend as string | undefined,
    from: process.env["TFXIO_INVOKED_FROM"] ?? process.cwd(),
    print: console.log,
    complain: console.error,
  });
}
