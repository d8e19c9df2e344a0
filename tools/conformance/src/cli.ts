// pnpm conformance [FILE…]: vector files, or directories of them; all of the repository's when none is given.
import { main } from "./main.js";

process.exitCode = await main({
  paths: process.argv.slice(2).filter((argument) => argument !== "--"),
  from: process.env["TFXIO_INVOKED_FROM"] ?? process.cwd(),
  print: console.log,
  complain: console.error,
});
