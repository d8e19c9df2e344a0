import { expect, test } from "@jest/globals";
import { createStreamClient } from "@tfxio/formats-arrow/client";
import { serveRecordBatches } from "@tfxio/formats-arrow/serve";
import { numberedBatches, numbers, numbersOf } from "./numbered.js";

test.each(["tcp", "unix", "http"] as const)("each client over %s is sent one pass", async (transport) => {
  await using server = await serveRecordBatches(() => numberedBatches(3), {
    arrowSchema: numbers,
    transport,
  });
  const client = createStreamClient(transport === "http" ? new URL(server.endpoint) : server.endpoint);
  for (let pass = 0; pass < 3; pass++) {
    expect(await numbersOf(client.recordBatches())).toEqual([0, 1, 2, 3, 4, 5]);
  }
});
