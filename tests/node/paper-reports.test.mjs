// The tables of docs/paper.md and docs/methods.md and the tracing of their figures, on small reports written here.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { methodsOf } from "../../pkg-scripts/method-reports.mjs";
import { sectionsOf, traced, written } from "../../pkg-scripts/paper-reports.mjs";

const REPORT = `# Losses

## Split by group

| loss | epsilon | step size |
|---|---|---|
| SOSL | 0.1 | 0.01 |
| MSE | 0.05 | 0.03 |

### Split by group, all documents

90 test queries, means ± standard deviations over 2 seeds; * differs from the first row (p < 0.05).

| loss | P_mr@1 | MAP |
|---|---|---|
| SOSL | **0.225** ± 0.003 | **0.076** ± 0.001 |
| MSE | 0.029* ± 0.002 | 0.020* ± 0.001 |

Means over queries and seeds [95 % interval].

| loss | P_mr@1 | MAP |
|---|---|---|
| SOSL | 0.225 [0.210, 0.240] | 0.076 [0.072, 0.081] |
| MSE | 0.029 [0.025, 0.033] | 0.020 [0.017, 0.023] |

Each less the first: mean [95 % interval], p after Holm's correction.

| loss | P_mr@1 | MAP |
|---|---|---|
| MSE | -0.196 [-0.209, -0.183] p 0.011 | -0.056 [-0.060, -0.053] p 0.157 |

### Split by group, sampled candidates

90 test queries, means ± standard deviations over 2 seeds; * differs from the first row (p < 0.05).

| loss | P_mr@1 | MAP |
|---|---|---|
| SOSL | 0.700 ± 0.003 | 0.600 ± 0.001 |
`;

describe("a report's tables", () => {
  const sections = sectionsOf(REPORT);
  const cell = (section, row, column) => sections.get(section)?.get(row)?.get(column);

  test("are found by the split, the ranking and what they state", () => {
    assert.equal(cell("group settings", "MSE", "epsilon"), "0.05");
    assert.equal(cell("group all spread", "MSE", "P_mr@1"), "0.029* ± 0.002");
    assert.equal(cell("group all mean", "SOSL", "MAP"), "0.076 [0.072, 0.081]");
    assert.equal(cell("group all less", "MSE", "MAP"), "-0.056 [-0.060, -0.053] p 0.157");
    assert.equal(cell("group samples spread", "SOSL", "MAP"), "0.600 ± 0.001");
  });

  test("have no difference of the row that others are compared with, and nothing of a ranking that is not there", () => {
    assert.equal(cell("group all less", "SOSL", "MAP"), undefined);
    assert.equal(cell("group samples mean", "SOSL", "MAP"), undefined);
    assert.equal(cell("query all mean", "SOSL", "MAP"), undefined);
  });

  test("are written with minus signs, without stars, and with a p only where the difference may be chance", () => {
    assert.equal(written("0.029* ± 0.002"), "0.029 ± 0.002");
    assert.equal(written("-0.196 [-0.209, -0.183] p 0.011"), "−0.196 [−0.209, −0.183]");
    assert.equal(written("-0.056 [-0.060, -0.053] p 0.157"), "−0.056 [−0.060, −0.053], p .157");
    assert.equal(written("+0.001 [-0.001, +0.003] p 1.000"), "+0.001 [−0.001, +0.003], p 1.000");
    assert.equal(written("+0.1 [+0.1, +0.2] p < .001"), "+0.1 [+0.1, +0.2]");
  });
});

const METHODS = `# Methods side by side

## comparable en-xx

9 test queries of both directions together. Means over seeds.

MRR over both directions:

| method | 10 %, 7 pairs | 100 %, 70 pairs |
|---|---|---|
| \`cdl\` | 0.250 [0.150, 0.450] ± 0.013 | 0.500 [0.400, 0.700] |
| \`lsi\` | 0.125 [0.100, 0.150] | 0.250 [0.200, 0.300] |

MRR over both directions, less that of \`cdl\` at the same share:

| method | 10 %, 7 pairs | 100 %, 70 pairs |
|---|---|---|
| \`lsi\` | -0.125 [-0.300, +0.050] | -0.250 [-0.400, -0.100] |

Settings:

| method | 10 %, 7 pairs | 100 %, 70 pairs |
|---|---|---|
| \`lsi\` | 200 directions (2 tried; 0.4 s; 1.50 MB) | 400 directions (2 tried; 0.6 s; 3.00 MB) |
`;

test("a report of methods has its means, its differences and its settings, by figure, method and share", () => {
  const tables = methodsOf(METHODS);
  assert.deepEqual([...tables.keys()], ["MRR over both directions", "less MRR over both directions", "settings"]);
  const cell = (table, method, share) => tables.get(table).get(`\`${method}\``).get(share);
  assert.equal(cell("MRR over both directions", "cdl", "10 %, 7 pairs"), "0.250 [0.150, 0.450] ± 0.013");
  assert.equal(cell("less MRR over both directions", "lsi", "100 %, 70 pairs"), "-0.250 [-0.400, -0.100]");
  assert.equal(cell("settings", "lsi", "100 %, 70 pairs"), "400 directions (2 tried; 0.6 s; 3.00 MB)");
});

describe("a figure with an interval", () => {
  test("is known in any way of writing it, and as the opposite difference", () => {
    const text = "MSE has .029 [.025, .033], SOSL 0.225 [0.210, 0.240]: less −0.196 [−0.209, −0.183], ahead by 0.196 [0.183, 0.209].";
    assert.deepEqual(traced(text, [REPORT]), { stated: 4, unknown: [] });
  });

  test("is told where its mean, an end of its interval or its sign is another", () => {
    const wrong = ["0.226 [0.210, 0.240]", "0.225 [0.211, 0.240]", "+0.196 [−0.209, −0.183]"];
    assert.deepEqual(traced(wrong.join("; "), [REPORT]).unknown, wrong);
  });
});
