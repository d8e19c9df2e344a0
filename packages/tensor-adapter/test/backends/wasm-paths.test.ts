import { expect, jest, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import { loadBackend } from "../../src/backends/index.js";

// This test has its own file, because the wasm package keeps its state for as long as a test file runs.

tf.enableProdMode();

test("the wasm backend can be loaded after two attempts with different wrong paths have failed", async () => {
  const spies = (["log", "warn", "error"] as const).map((name) =>
    jest.spyOn(console, name).mockImplementation(() => {}),
  );
  try {
    for (const wasmPaths of ["/nonexistent/", "/neither/"]) {
      const missed = await loadBackend({ tf, prefer: ["wasm", "cpu"], wasmPaths });
      expect([missed.name, missed.attempts[0]?.reason]).toEqual(["cpu", "failed"]);
      // A backend that failed must not stay registered, or TensorFlow.js would choose it whenever no backend is current.
      expect(tf.findBackendFactory("wasm")).toBeNull();
      missed.release();
    }
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const loaded = await loadBackend({ tf, prefer: "wasm" });
  expect(loaded.attempts).toEqual([expect.objectContaining({ name: "wasm", usable: true })]);
  expect([...(await tf.tensor([3]).data())]).toEqual([3]);
  loaded.release();
  expect(tf.getBackend()).toBe("cpu");
});
