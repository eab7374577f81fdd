// A training step over the touched rows of a batch, each of which has a slot. Texts are the
// queries, then the documents. A workgroup takes a row, a text or a pair; its lanes share the
// columns. Every sum has a fixed order, so the same batch gives the same bits.

struct Settings {
    dimension: u32,
    pairs: u32,
    slots: u32,
    epsilon: f32,
    pull: f32,
    // Negative: no clipping.
    clip: f32,
    step_size: f32,
}

// The slots of the rows in one segment of a table.
struct Segment {
    first_slot: u32,
    count: u32,
}

struct Report {
    loss: f32,
    with_slope: f32,
    undefined: f32,
    clipped: f32,
    factor: f32,
}

@group(0) @binding(0) var<uniform> settings: Settings;
// The batch.
@group(0) @binding(1) var<storage, read> row_places: array<u32>;
@group(0) @binding(2) var<storage, read> text_starts: array<u32>;
@group(0) @binding(3) var<storage, read> words: array<u32>;
@group(0) @binding(4) var<storage, read> row_starts: array<u32>;
@group(0) @binding(5) var<storage, read> row_texts: array<u32>;
@group(0) @binding(6) var<storage, read> targets: array<vec2f>;
// The factors of a slot's row in the sum of a text and of its gradient; the divisor of a text's
// sum.
@group(0) @binding(20) var<storage, read> row_weights: array<vec2f>;
@group(0) @binding(21) var<storage, read> text_weights: array<f32>;
// Results: of slots, of texts and of pairs.
@group(0) @binding(7) var<storage, read_write> rows: array<f32>;
@group(0) @binding(8) var<storage, read_write> gradients: array<f32>;
@group(0) @binding(9) var<storage, read_write> squares: array<f32>;
@group(0) @binding(10) var<storage, read_write> vectors: array<f32>;
@group(0) @binding(11) var<storage, read_write> flows: array<f32>;
@group(0) @binding(12) var<storage, read_write> outcomes: array<vec4f>;
@group(0) @binding(13) var<storage, read_write> report: Report;
// A segment of a table.
@group(0) @binding(14) var<uniform> segment: Segment;
@group(0) @binding(15) var<storage, read> current: array<f32>;
@group(0) @binding(16) var<storage, read> home: array<f32>;
@group(0) @binding(17) var<storage, read_write> weights: array<f32>;
@group(0) @binding(18) var<storage, read_write> first: array<f32>;
@group(0) @binding(19) var<storage, read_write> second: array<f32>;

const LANES = 64u;
const MANY_LANES = 256u;

var<workgroup> partial: array<vec4f, MANY_LANES>;

// Workgroups beyond one axis continue in the next row of the grid.
fn place(group: vec3u, groups: vec3u) -> u32 {
    return group.x + group.y * groups.x;
}

// The sum over the lanes of a workgroup.
fn sum(lane: u32, lanes: u32, value: vec4f) -> vec4f {
    partial[lane] = value;
    workgroupBarrier();
    for (var width = lanes / 2u; width > 0u; width /= 2u) {
        if lane < width {
            partial[lane] += partial[lane + width];
        }
        workgroupBarrier();
    }
    return partial[0];
}

// Copies the touched rows from their tables, and starts their gradients with the pull.
@compute @workgroup_size(LANES)
fn gather(
    @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = place(group, groups);
    if number >= segment.count {
        return;
    }
    let slot = segment.first_slot + number;
    for (var column = lane; column < settings.dimension; column += LANES) {
        let at = row_places[slot] * settings.dimension + column;
        let to = slot * settings.dimension + column;
        rows[to] = current[at];
        gradients[to] = 0.0;
        if settings.pull > 0.0 {
            gradients[to] = settings.pull * (current[at] - home[at]);
        }
    }
}

// The error of WGSL's tanh may be 1e-5. Near 0: Cephes' polynomial; beyond 10: 1 in 32 bits.
fn tanh_of(x: f32) -> f32 {
    if abs(x) < 0.625 {
        let z = x * x;
        let p = (((-5.70498872745e-3 * z + 2.06390887954e-2) * z - 5.37397155531e-2) * z
            + 1.33314422036e-1) * z - 3.33332819422e-1;
        return x + x * z * p;
    }
    return sign(x) * (1.0 - 2.0 / (exp(2.0 * min(abs(x), 10.0)) + 1.0));
}

@compute @workgroup_size(LANES)
fn encode(
    @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let text = place(group, groups);
    if text >= 2u * settings.pairs {
        return;
    }
    let start = text_starts[text];
    let end = text_starts[text + 1u];
    for (var column = lane; column < settings.dimension; column += LANES) {
        var total = 0.0;
        for (var word = start; word < end; word += 1u) {
            let slot = words[word];
            total += rows[slot * settings.dimension + column] * row_weights[slot].x;
        }
        vectors[text * settings.dimension + column] = tanh_of(total / text_weights[text]);
    }
}

// The gradient of the score in one argument is `toward * other - back * argument`.
struct Slope {
    toward: f32,
    back: f32,
    defined: bool,
}

// Squares are of scaled components, because a device may take numbers below 2^-126 for 0, such as the
// square of 1e-20, and a norm of 0 would let a score exceed 1 without bound. A power of two rounds
// nothing, and components are at most 1.
const SCALE = 0x1p50f;

const LEAST = 1e-18;
const SMALLEST_NORMAL = 0x1p-126;

fn slope_of(norm: f32, other_norm: f32, product: f32) -> Slope {
    let n = norm + settings.epsilon;
    let g = other_norm + settings.epsilon;
    // Undefined if a product or a quotient would overflow or underflow.
    if n <= LEAST || g <= 0.0 || min(n, 1.0) * min(g, 1.0) < SMALLEST_NORMAL {
        return Slope(0.0, 0.0, false);
    }
    let toward = 1.0 / n / g;
    var back = 0.0;
    if norm * min(n, 1.0) >= SMALLEST_NORMAL {
        back = product * toward / n / norm;
    }
    return Slope(toward, back, true);
}

// Scores a pair, and writes the gradient of its loss for each word of weight 1 of its two texts.
@compute @workgroup_size(LANES)
fn score(
    @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let pair = place(group, groups);
    if pair >= settings.pairs {
        return;
    }
    let query = pair * settings.dimension;
    let document = (settings.pairs + pair) * settings.dimension;
    var products = vec4f();
    for (var column = lane; column < settings.dimension; column += LANES) {
        let q = vectors[query + column];
        let d = vectors[document + column];
        let scaled = SCALE * vec2f(q, d);
        products += vec4f(q * d, scaled * scaled, 0.0);
    }
    let sums = sum(lane, LANES, products);
    let norms = sqrt(sums.yz) / SCALE;

    var r = 0.0;
    let to_query = slope_of(norms.x, norms.y, sums.x);
    let to_document = slope_of(norms.y, norms.x, sums.x);
    if norms.x + settings.epsilon > 0.0 && norms.y + settings.epsilon > 0.0 {
        r = sums.x / (norms.x + settings.epsilon) / (norms.y + settings.epsilon);
    }
    let low = targets[pair].x;
    let high = targets[pair].y;
    var outside = 0.0;
    if r > high {
        outside = r - high;
    } else if r < low {
        outside = r - low;
    }

    let share = 2.0 * outside * (1.0 / f32(settings.pairs));
    let query_share = share / text_weights[pair];
    let document_share = share / text_weights[settings.pairs + pair];
    for (var column = lane; column < settings.dimension; column += LANES) {
        let q = vectors[query + column];
        let d = vectors[document + column];
        // Through tanh, whose slope is 1 - v^2.
        flows[query + column] =
            (to_query.toward * d - to_query.back * q) * (query_share * (1.0 - q * q));
        flows[document + column] =
            (to_document.toward * q - to_document.back * d) * (document_share * (1.0 - d * d));
    }
    if lane == 0u {
        let has_slope = outside != 0.0;
        let is_undefined = has_slope && !(to_query.defined && to_document.defined);
        outcomes[pair] = vec4f(outside * outside, f32(has_slope), f32(is_undefined), 0.0);
    }
}

// Adds the gradients of a row's occurrences, in the order of the texts.
@compute @workgroup_size(LANES)
fn backward(
    @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let slot = place(group, groups);
    if slot >= settings.slots {
        return;
    }
    let start = row_starts[slot];
    let end = row_starts[slot + 1u];
    var square = 0.0;
    for (var column = lane; column < settings.dimension; column += LANES) {
        let at = slot * settings.dimension + column;
        var total = 0.0;
        for (var occurrence = start; occurrence < end; occurrence += 1u) {
            total += flows[row_texts[occurrence] * settings.dimension + column];
        }
        total = total * row_weights[slot].y + gradients[at];
        gradients[at] = total;
        square += total * total;
    }
    let sums = sum(lane, LANES, vec4f(square, 0.0, 0.0, 0.0));
    if lane == 0u {
        squares[slot] = sums.x;
    }
}

// One workgroup: the report of the batch, and the factor of its gradient.
@compute @workgroup_size(MANY_LANES)
fn finish(@builtin(local_invocation_index) lane: u32) {
    var total = vec4f();
    for (var pair = lane; pair < settings.pairs; pair += MANY_LANES) {
        total += outcomes[pair];
    }
    for (var slot = lane; slot < settings.slots; slot += MANY_LANES) {
        total.w += squares[slot];
    }
    let sums = sum(lane, MANY_LANES, total);
    if lane == 0u {
        let length = sqrt(sums.w);
        let is_clipped = settings.clip >= 0.0 && length > settings.clip;
        var factor = 1.0;
        if is_clipped {
            factor = settings.clip / length;
        }
        report = Report(sums.x, sums.y, sums.z, f32(is_clipped), factor);
    }
}

// One minus Adam's decays, in 32 bits.
const FIRST_RATE = 1.0f - 0.9f;
const SECOND_RATE = 1.0f - 0.999f;

@compute @workgroup_size(LANES)
fn adam(
    @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = place(group, groups);
    if number >= segment.count {
        return;
    }
    let slot = segment.first_slot + number;
    for (var column = lane; column < settings.dimension; column += LANES) {
        let at = row_places[slot] * settings.dimension + column;
        let gradient = gradients[slot * settings.dimension + column] * report.factor;
        let m = first[at] + (gradient - first[at]) * FIRST_RATE;
        let v = second[at] + (gradient * gradient - second[at]) * SECOND_RATE;
        first[at] = m;
        second[at] = v;
        weights[at] -= settings.step_size * m / (sqrt(v) + 1e-8);
    }
}
