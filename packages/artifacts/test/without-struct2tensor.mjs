// node without-struct2tensor.mjs STORE ID: opens Examples as if @tfxio/struct2tensor were not installed, and prints the error.
import { register } from "node:module";
import { openExamples, openMetadataStore } from "@tfxio/artifacts";

const hooks = `export async function resolve(specifier, context, next) {
  return next(specifier.replace(/^@tfxio\\/struct2tensor/, "@tfxio/struct2tensor-is-not-here"), context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
const [, , file = "", id = ""] = process.argv;
const store = await openMetadataStore(file, { access: "read" });
try {
  await openExamples(store.artifacts.byId([Number(id)]));
} catch (error) {
  const { code, reason, message } = /** @type {Record<string, unknown>} */ (error);
  console.log(JSON.stringify({ code, reason, message }));
} finally {
  store.close();
}
