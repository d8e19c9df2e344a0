// node killed-save.mjs FOLDER: saves a DataView to the folder, and kills itself before the first rename, after writing all files.
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { dataViewProvider } from "@tfxio/artifacts";

const [, , uri = ""] = process.argv;
await fs.mkdir(uri, { recursive: true });
fs.rename = async () => {
  process.kill(process.pid, "SIGKILL");
};
syncBuiltinESMExports();
await dataViewProvider.run({
  inputs: {},
  outputs: { data_view: { uri } },
  parameters: {
    moduleFile: path.join(import.meta.dirname, "fixtures", "decoder.mjs"),
    createDecoderFunc: "createDecoder",
  },
  signal: undefined,
});
