// node changed-module.mjs FOLDER: provides a DataView of a module, changes the module, provides again; prints what was saved.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { dataViewProvider, openMetadataStore, runComponent } from "@tfxio/artifacts";

const [, , folder = ""] = process.argv;
const moduleFile = path.join(folder, "decoder.mjs");
const store = await openMetadataStore(path.join(folder, "store.sqlite"), { access: "create" });
/** @type {unknown[]} */
const saved = [];
const provider = dataViewProvider({
  save: async (decoder) => void saved.push(decoder),
  load: async () => ({ decodeRecords: () => ({}) }),
});
for (const name of ["first", "second"]) {
  writeFileSync(moduleFile, `export const createDecoder = () => "${name}";\n`);
  await runComponent(store, provider, {
    pipelineRoot: folder,
    pipeline: "p",
    run: name,
    parameters: { createDecoderFunc: "createDecoder", moduleFile },
  });
}
store.close();
console.log(JSON.stringify(saved));
