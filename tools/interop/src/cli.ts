// pnpm interop [--python PATH] [--flink] [NAME…]: runs checks against external software.
import { main } from "./main.js";

process.exitCode = await main(process.argv.slice(2), process.env, (line) =>
  process.stdout.write(`${line}\n`),
);
