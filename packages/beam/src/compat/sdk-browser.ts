import { UnsupportedError } from "@tfxio/wire";

/** Takes the place of `loadSdk` in browsers. @throws {UnsupportedError} `unsupported` (`beam-sdk`), always. */
export function loadSdk(): never {
  throw new UnsupportedError(
    "Beam transforms must run in Node, because Beam's SDK does not run in browsers.",
    {
      feature: "Apache Beam",
      reason: "beam-sdk",
    },
  );
}
