import { UnsupportedError } from "@tfxio/wire";

/** Replaces the SDK in browsers. @throws {UnsupportedError} `unsupported` (`beam-sdk`), always. */
export function loadSdk(): never {
  throw new UnsupportedError("Beam transforms need Node; Beam's SDK does not run in browsers.", {
    feature: "Apache Beam",
    reason: "beam-sdk",
  });
}
