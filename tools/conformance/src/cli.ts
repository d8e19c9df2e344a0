// pnpm conformance [--backend NAME] [FILE…]: vector files, or directories of them; all of the repository's when none is
// given. With a backend of TensorFlow.js (cpu, wasm, …) tensors are made and read there, instead of on the host.
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
