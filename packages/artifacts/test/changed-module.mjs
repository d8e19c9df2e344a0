// node changed-module.mjs FOLDER: runs dataViewProvider with a module, changes the module, and runs dataViewProvider again. For
// each saved view, prints which of the outputs `first` and `second` it has.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { dataViewProvider, openMetadataStore, runComponent } from "@tfxio/artifacts";

const [, , folder = ""] = process.argv;
const moduleFile = path.join(folder, "decoder.mjs");
const store = await openMetadataStore(path.join(folder, "store.sqlite"), { access: "create" });
const fixture = import.meta.resolve("./fixtures/decoder.mjs");
const saved = [];
for (const name of ["first", "second"]) {
  const source = `import { viewOfVisits } from "${fixture}";\nexport const createDecoder = () => viewOfVisits("${name}");\n`;
  writeFileSync(moduleFile, source);
  const { outputs } = await runComponent(store, dataViewProvider, {
    pipelineRoot: folder,
    pipeline: "p",
    run: name,
    parameters: { createDecoderFunc: "createDecoder", moduleFile },
  });
  const signature = readFileSync(path.join(outputs["data_view"]?.uri ?? "", "signature.json"), "utf8");
  saved.push(["first", "second"].filter((output) => signature.includes(`"${output}"`)));
}
store.close();
console.log(JSON.stringify(saved));
