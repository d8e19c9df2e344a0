import { expect, test } from "@jest/globals";
import { socketOf } from "../../src/client/sockets-browser.js";

test("a socket is unsupported where there are none, and named", () => {
  expect(() => socketOf({}, "unix:///x.sock")).toThrow(
    expect.objectContaining({
      code: "unsupported",
      reason: "endpoint",
      message: expect.stringContaining("unix:///x.sock"),
    }),
  );
});
