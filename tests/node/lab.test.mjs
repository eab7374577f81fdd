// The mathematics behind the pictures, as Node loads it from the package. Values worked by hand.
import assert from "node:assert/strict";
import test from "node:test";
import { Lab } from "smooth-clir/lab";

const near = (found, expected) => assert.ok(Math.abs(found - expected) < 1e-4, `${found}, expected ${expected}`);

test("Figure 1's largest values stand at the zero vector, where the gradient reaches its exact bound", async () => {
  const lab = await Lab.load();
  for (const [epsilon, largest] of [[0.05, 13.6592], [0.2, 3.0975], [0.5, 1.0448]]) {
    const { gradient, length, score } = lab.reading([0, 0], [1, 1], epsilon);
    near(gradient[0], largest);
    assert.equal(score, 0);
    const { printed, tight, exact } = lab.bounds([1, 1], epsilon);
    near(length, exact);
    near(tight, 1 / epsilon);
    near(printed, 2 / epsilon);
    const map = lab.planeMap("x1", [1, 1], 5, 2, epsilon);
    assert.equal(Math.max(...map), map[12]);
  }
});

test("where there is no ImageData, maps have values but no colours", async () => {
  const lab = await Lab.load();
  const scale = { low: [217, 102, 10], middle: [239, 236, 230], high: [11, 95, 158], limit: 10, steps: 127 };
  const refusal = { code: "no-image-data", message: /`ImageData`: in a page or a worker of a browser$/ };
  assert.throws(() => lab.paintMap("x1", [1, 1], { size: 5, extent: 2, epsilon: 0.5, scale }), refusal);
  assert.throws(() => lab.paintScale(scale), refusal);
  // log 2 / log 1001.
  near(lab.placeOnScale(-0.01, 10), -0.10033);
});

test("two documents swap where the formula says, and their scores are the same there", async () => {
  const lab = await Lab.load();
  // Cosines .9 and .6, norms 1 and 3.
  const [swap, ...others] = lab.swapPoints([0.9, 1.8], [1, 3]);
  assert.deepEqual([swap.first, swap.second, others.length], [0, 1, 0]);
  near(swap.epsilon, 1);
  near(lab.scores(0.9, 2, 1, [1])[0], lab.scores(1.8, 2, 3, [1])[0]);
});

test("cosine's descent from near zero is one jump; clipping bounds it", async () => {
  const lab = await Lab.load();
  const from = { start: [1e-3, 0], document: [0, 1], epsilon: 0, rate: 0.1, steps: 3 };
  const [jump, stall] = lab.descend({ way: "plain", ...from });
  near(jump.length, 100);
  assert.ok(stall.length < 1e-4);
  near(lab.descend({ way: "clipped", clip: 5, ...from })[0].length, 0.5);
});

test("losses, densities, rankings and their metrics", async () => {
  const lab = await Lab.load();
  const { values, slopes } = lab.loss("sosl", 1, [0, 0.5, 0.9], { thresholds: [0.2, 0.7] });
  near(values[0], 0.04);
  assert.equal(values[1], 0);
  near(slopes[2], 0.4);
  assert.throws(() => lab.loss("sosl", 1, [0], { thresholds: [0.7, 0.2] }), {
    code: "thresholds",
    message: "`thresholds` must rise strictly between -1 and 1, got [0.7, 0.2]",
  });
  near(lab.density(new Float32Array([0]), 1, [0])[0], 1 / Math.sqrt(2 * Math.PI));
  const judged = lab.judged();
  judged.add(2, new Float32Array([1.8, 0.9]), new Float32Array([3, 1]), new Uint8Array([0, 2]));
  assert.equal(judged.mean(0.5)["P_mr@1"], 1);
  assert.equal(judged.mean(2)["P_mr@1"], 0);
  judged.free();
  assert.equal(lab.metrics([0, 2], [0, 2])["MRR_mr"], 0.5);
  assert.equal(lab.metrics([0], [0]), undefined);
  assert.equal(lab.mean([lab.metrics([0, 2], [0, 2]), lab.metrics([2], [2])])["MRR_mr"], 0.75);
});

test("a document lives among the first where fewer than that are ahead of it", async () => {
  const lab = await Lab.load();
  // Dot products 3.6 and 3.4 at norms 3.9 and 3.6 swap at 1.5; 3.4 passes 3.3 at 88.2, by the formula.
  const [dots, norms] = [[3.6, 0.1, 3.3, 3.4], [3.9, 2.5, 0.9, 3.6]];
  const own = lab.lifetimes(dots, norms, { count: 2, most: 100 }).filter(({ document }) => document === 3);
  assert.deepEqual([own.length, own[0].from, own[1].to], [2, 0, 100]);
  near(own[0].to, 1.5);
  assert.ok(Math.abs(own[1].from - 88.2) < 0.01);
});

test("a rank is certified as far as the plane between two documents is, and by the Lipschitz constant less far", async () => {
  const lab = await Lab.load();
  // Documents of length 1 along the query (3, 0) and at right angles to it: the plane is at 45 degrees.
  const [first] = lab.certified([3, 0], [1, 1], { queryNorm: 3, epsilon: 1, count: 1 });
  near(first.radius, 3 / Math.SQRT2);
  near(first.lipschitz, 0.375);
  assert.equal(first.rival, 1);
  assert.equal(lab.certified([3], [1], { queryNorm: 3, epsilon: 1, count: 1 })[0].rival, undefined);
  assert.throws(() => lab.certified([3], [1], { queryNorm: 3, epsilon: -1, count: 1 }), { code: "epsilon" });
});

test("Theorem 3's constants, its bound, and how far two trainings can grow apart", async () => {
  const lab = await Lab.load();
  const theory = { loss: "sosl", thresholds: [0.2, 0.7], epsilon: 1, stepConstant: 0.04, pairs: 1000, steps: 1000, delta: 0.05 };
  const { largest, lipschitz, smoothness, stability, gap, leastPairs } = lab.theory(theory);
  // (1 + .7)^2; 3.4/1; 3.4 (2 + 4/(3 sqrt 3)) + 2.
  near(largest, 2.89);
  near(lipschitz, 3.4);
  near(smoothness, 3.4 * (2 + 4 / (3 * Math.sqrt(3))) + 2);
  const product = smoothness * 0.04;
  const beta =
    ((1 + 1 / product) / 999) * 2.89 * ((2 * 0.04 * 3.4 ** 2) / 2.89) ** (1 / (product + 1)) * 1000 ** (product / (product + 1));
  assert.ok(Math.abs(stability / beta - 1) < 1e-5, `${stability}, expected ${beta}`);
  const root = Math.sqrt(Math.log(20) / 2000);
  assert.ok(Math.abs(gap / (2 * beta + (4000 * beta + 2.89) * root) - 1) < 1e-5);
  assert.ok(lab.theory({ ...theory, pairs: leastPairs }).gap < largest);
  assert.ok(lab.theory({ ...theory, pairs: leastPairs - 1 }).gap >= largest);
  assert.equal(lab.theory({ ...theory, epsilon: 0 }).leastPairs, undefined);
  // Twice a step of .04/2 along a gradient of 3.4, then times 1 + .04/3 gamma.
  const growth = lab.weightGrowth(theory, 2, [1, 2, 3]);
  near(growth[0], 0);
  near(growth[1], 0.136);
  near(growth[2], 0.136 * (1 + (0.04 / 3) * smoothness));
  assert.throws(() => lab.weightGrowth(theory, 2, [10_000_001]), { code: "too-large" });
  assert.throws(() => lab.theory({ ...theory, loss: "hinge" }), { code: "invalid-argument" });
});
