// Trainings from scratch, side by side: losses, grades by links, lengths of gradients, plain descent.
import assert from "node:assert/strict";
import test, { after, before, describe } from "node:test";
import { fileURLToPath } from "node:url";
import { SmoothClir } from "smooth-clir";

const generated = (name) => fileURLToPath(new URL(`../../www/public/generated/${name}`, import.meta.url));

const THINGS = ["rain", "bread", "sea", "wind", "bird", "fish", "sun", "moon", "tree", "stone"];
const textOf = (at, mark) => `${THINGS[at % 10]}${mark} ${THINGS[at % 10]}${mark} ${THINGS[Math.floor(at / 10)]}${mark}`;
const places = Array.from({ length: 100 }, (_, at) => at);
const collection = {
  queries: places.map((at) => ({ id: `q${at}`, text: textOf(at, "") })),
  documents: places.map((at) => ({ id: `d${at}`, text: textOf(at, "x") })),
  qrels: places.flatMap((at) => [
    { query: `q${at}`, document: `d${at}`, grade: 2 },
    { query: `q${at}`, document: `d${(at + 10) % 100}`, grade: 1 },
  ]),
};
const usual = { device: "wasm", dimension: 8, negatives: 10, batchSize: 64 };

describe("trainings side by side", () => {
  let engine;
  before(async () => {
    engine = await SmoothClir.load({ model: generated("query.safetensors"), documents: generated("documents/fr/demo.safetensors") });
  });
  after(() => engine.close());
  const start = (options) => engine.startTraining(collection, { ...usual, ...options });

  test("two losses begin with the same scores and part", async () => {
    const [sosl, mse] = [await start({ loss: "sosl" }), await start({ loss: "mse" })];
    const [one, other] = [await sosl.evaluate(), await mse.evaluate()];
    assert.deepEqual(one.scores, other.scores);
    assert.equal((await sosl.distance(mse)).weights, 0);
    await Promise.all([sosl.step(30), mse.step(30)]);
    assert.notDeepEqual((await sosl.evaluate()).scores, (await mse.evaluate()).scores);
    assert.ok((await sosl.distance(mse)).weights > 0);
    await Promise.all([sosl.end(), mse.end()]);
    await assert.rejects(sosl.step(), { code: "closed" });
  });

  test("the longest gradient of smooth cosine is at most 1/epsilon; cosine's is as long as vectors are short", async () => {
    const smooth = await start({ epsilon: 0.5, standardDeviation: 1e-4 });
    const { longestGradients, medianGradients } = await smooth.step(20);
    assert.ok(longestGradients.every((length, at) => length <= 2 * (1 + 1e-5) && length >= medianGradients[at]));
    const cosine = await start({ epsilon: 0, standardDeviation: 1e-4, clip: 1 });
    const first = await cosine.step();
    assert.ok(first.longestGradients[0] > 100);
    assert.equal(first.clipped, 1);
    await Promise.all([smooth.end(), cosine.end()]);
  });

  test("grades by links are as many as thresholds and one", async () => {
    for (const thresholds of [[0.45], [0.2, 0.7], [0.2, 0.4, 0.6, 0.7]]) {
      const training = await start({ thresholds, gradesByLinks: true });
      const { grades, metrics } = await training.evaluate();
      assert.equal(new Set(grades).size, thresholds.length + 1);
      assert.ok(metrics.MRR_mr > 0);
      await training.end();
    }
  });

  test("two descents part at the step whose pair is another one", async () => {
    const descent = { epsilon: 1, descent: 0.5, batchSize: 1 };
    const [one, other] = [await start(descent), await start({ ...descent, replaced: 3 })];
    await Promise.all([one.step(2), other.step(2)]);
    assert.deepEqual(await one.distance(other), { weights: 0, loss: 0 });
    await Promise.all([one.step(), other.step()]);
    const { weights, loss } = await one.distance(other);
    // Two steps of .5/3 along gradients no longer than 3.4, the slope of the loss, over epsilon.
    assert.ok(weights > 0 && weights <= (2 * 0.5 * 3.4) / 3);
    assert.ok(loss > 0 && loss <= 3.4 * weights);
    await Promise.all([one.end(), other.end()]);
  });

  test("a ninth training ends the oldest", async () => {
    const all = [];
    for (let count = 0; count < 8; count++) all.push(await start());
    assert.equal((await all[0].step()).losses.length, 1);
    const ninth = await start();
    await assert.rejects(all[0].step(), { code: "closed", message: "this training has ended" });
    assert.equal((await all[1].step()).losses.length, 1);
    await Promise.all([...all, ninth].map((training) => training.end()));
  });

  test("what is wrong with an option is said", async () => {
    const refused = (options, message, code = "invalid-argument") => assert.rejects(start(options), { code, message });
    await refused({ loss: "hinge" }, '`loss` must be the name of a loss, got "hinge"');
    await refused({ loss: 1 }, "`loss` must be a string, got number");
    await refused({ clip: 0 }, "`clip` must be a finite number above 0, got 0");
    await refused({ gradesByLinks: 1 }, "`gradesByLinks` must be a boolean, got number");
    await refused({ batchSize: 0 }, "`batchSize` must be a positive integer, got 0");
    await refused({ loss: "three-part", thresholds: [0.5] }, /expected two or three/, "thresholds");
    const training = await start();
    await assert.rejects(training.distance({}), { code: "invalid-argument", message: "`other` must be a training of the same engine" });
    await training.end();
  });
});
