import { expect, test } from "@jest/globals";
import * as beam from "@tfxio/beam";
import * as compat from "@tfxio/beam/compat";
import * as expansion from "@tfxio/beam/expansion";
import * as plan from "@tfxio/beam/plan";
import * as pool from "@tfxio/beam/pool";

test("@tfxio/beam/plan exports exactly the listed names", () => {
  expect(Object.keys(plan).sort()).toEqual([
    "planUnits",
    "publishManifest",
    "readManifest",
    "runUnit",
    "unitsOfWorker",
    "writeUnit",
  ]);
});

test("@tfxio/beam exports exactly the listed names", () => {
  expect(Object.keys(beam).sort()).toEqual([
    "beamSource",
    "decodeBatch",
    "directRunner",
    "encodeBatch",
    "portableRunner",
    "rawRecordBeamSource",
    "recordsToBatches",
    "writeBeam",
  ]);
});

test("@tfxio/beam/compat exports only installRepairs and repairs", () => {
  expect(Object.keys(compat).sort()).toEqual(["installRepairs", "repairs"]);
});

test("@tfxio/beam/expansion exports only startExpansionService", () => {
  expect(Object.keys(expansion)).toEqual(["startExpansionService"]);
});

test("@tfxio/beam/pool exports only startWorkerPool", () => {
  expect(Object.keys(pool).sort()).toEqual(["startWorkerPool"]);
});
