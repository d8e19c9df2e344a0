import { expect, test } from "@jest/globals";
import { socketOf } from "../../src/client/sockets-browser.js";

test("in a runtime without sockets, a Unix socket is rejected as unsupported, and the error names it", () => {
  expect(() => socketOf({}, "unix:///x.sock")).toThrow(
    expect.objectContaining({
      code: "unsupported",
      reason: "endpoint",
      message: expect.stringContaining("unix:///x.sock"),
    }),
  );
});
