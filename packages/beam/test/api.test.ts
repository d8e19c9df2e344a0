import { expect, test } from "@jest/globals";
import * as beam from "@tfxio/beam";
import * as compat from "@tfxio/beam/compat";
import * as expansion from "@tfxio/beam/expansion";
import * as plan from "@tfxio/beam/plan";
import * as pool from "@tfxio/beam/pool";

test("the public surface of ./plan", () => {
  expect(Object.keys(plan).sort()).toEqual([
    "planUnits",
    "publishManifest",
    "readManifest",
    "runUnit",
    "unitsOfWorker",
    "writeUnit",
  ]);
});

test("the public surface", () => {
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

test("the public surface of ./compat", () => {
  expect(Object.keys(compat).sort()).toEqual(["installRepairs", "repairs"]);
});

test("the public surface of ./expansion", () => {
  expect(Object.keys(expansion)).toEqual(["startExpansionService"]);
});

test("the public surface of ./pool", () => {
  expect(Object.keys(pool).sort()).toEqual(["startWorkerPool"]);
});
