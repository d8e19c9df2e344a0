import { main } from "./main.js";

process.exitCode = await main(process.argv.slice(2), process.env, {
  print: (line) => process.stdout.write(`${line}\n`),
  progress: (line) => process.stderr.write(`${line}\n`),
});
