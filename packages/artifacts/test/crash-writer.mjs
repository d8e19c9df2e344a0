// node crash-writer.mjs FILE NAME: writes runs into a store until it is killed, and prints the name of each stored run.
import { writeSync } from "node:fs";
import { openMetadataStore } from "@tfxio/artifacts";

const [, , file = "", writer = ""] = process.argv;
const store = await openMetadataStore(file);
for (let number = 0; ; number += 1) {
  const name = `${writer}-${number}`;
  store.transaction(() => {
    const [artifactId = 0] = store.artifacts.put([
      { type: "Examples", name, uri: `/${name}`, customProperties: { number: BigInt(number), text: name } },
    ]);
    const [executionId = 0] = store.executions.put([{ type: "Trainer", name, lastKnownState: "COMPLETE" }]);
    store.events.put([{ artifactId, executionId, type: "OUTPUT", path: ["examples", number] }]);
    store.links.put({
      attributions: [{ contextId: 1, artifactId }],
      associations: [{ contextId: 1, executionId }],
    });
  });
  writeSync(1, `${name}\n`);
  // SQLite's lock is not fair: without this pause, one writer would keep it.
  await new Promise((resolve) => setTimeout(resolve, 1));
}
