import { expect, test } from "@jest/globals";
import { describableFormats } from "../../src/description/describable-formats.js";
import { workerFormats } from "../../src/workers/formats-browser.js";
import { startWorker } from "../../src/workers/worker-thread-browser.js";

test("web workers can read exactly the formats that a description can name without a module", () => {
  const idsOf = (formats: typeof workerFormats): string[] => formats.map(({ id }) => id).sort();
  expect(idsOf(workerFormats)).toEqual(idsOf(describableFormats));
});

test.each([
  ["", "failed: its script cannot be loaded."],
  [undefined, "failed: its script cannot be loaded."],
  ["Uncaught Error: no", "failed: Uncaught Error: no"],
])("the failure of a web worker is reported if its error event has the message %j", (message, expected) => {
  const workers: EventTarget[] = [];
  const failures: string[] = [];
  class FakeWorker extends EventTarget {
    constructor() {
      super();
      workers.push(this);
    }
  }
  const scope = globalThis as { Worker?: unknown };
  scope.Worker = FakeWorker;
  try {
    startWorker({ onMessage() {}, onFailure: (detail) => failures.push(detail) });
  } finally {
    delete scope.Worker;
  }
  workers[0]!.dispatchEvent(Object.assign(new Event("error"), { message }));
  expect(failures).toEqual([expected]);
});
