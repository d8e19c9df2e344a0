export { CheckFailure, type FormatCheck } from "./check.js";
export type { BrokenFixture, FixtureRow, FixtureValue, FormatFixture } from "./fixture.js";
export { formatChecks, type FormatChecksOptions } from "./format-checks.js";
