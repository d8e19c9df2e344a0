// node count-modules.mjs: imports tfxio, and prints the URLs of the modules that Node loads for it.
import { register } from "node:module";

const hooks = `import { writeSync } from "node:fs";
export async function load(url, context, next) {
  if (url.startsWith("file:")) writeSync(1, url + "\\n");
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
await import("tfxio");
