// The top documents for a query. Vectors are stored in blocks of 64 documents, four columns of each
// after the other, so that neighbouring lanes read neighbouring values.

struct Query {
    // Columns, in groups of four.
    quads: u32,
    documents: u32,
    first_position: u32,
    epsilon: f32,
    // Norm and epsilon.
    length: f32,
    scale: f32,
}

struct Entry {
    score: f32,
    position: u32,
}

// One round of the selection.
struct Round {
    count: u32,
    keep: u32,
}

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> query_floats: array<vec4f>;
@group(0) @binding(2) var<storage, read> query_integers: array<vec4i>;
// A segment of documents.
@group(0) @binding(3) var<storage, read> floats: array<vec4f>;
@group(0) @binding(4) var<storage, read> integers: array<u32>;
@group(0) @binding(5) var<storage, read> norms: array<f32>;
@group(0) @binding(6) var<storage, read> scales: array<f32>;
@group(0) @binding(7) var<storage, read_write> scored: array<Entry>;
@group(0) @binding(8) var<uniform> round_of: Round;
@group(0) @binding(9) var<storage, read> offered: array<Entry>;
@group(0) @binding(10) var<storage, read_write> kept: array<Entry>;

const LANES = 64u;
const SORTERS = 256u;
const BLOCK = 1024u;
const NONE = Entry(-3e38, 0xffffffffu);

// Workgroups beyond one axis continue in the next row of the grid.
fn place(group: vec3u, groups: vec3u) -> u32 {
    return group.x + group.y * groups.x;
}

fn note(document: u32, product: f32) {
    if document >= query.documents {
        return;
    }
    let denominator = query.length * (norms[document] + query.epsilon);
    var score = 0.0;
    if denominator > 0.0 {
        score = product / denominator;
    }
    scored[document] = Entry(score, query.first_position + document);
}

@compute @workgroup_size(LANES)
fn score_floats(
    @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = place(group, groups);
    var sums = vec4f();
    for (var quad = 0u; quad < query.quads; quad += 1u) {
        sums += query_floats[quad] * floats[(block * query.quads + quad) * LANES + lane];
    }
    note(block * LANES + lane, (sums.x + sums.y) + (sums.z + sums.w));
}

// Four signed bytes, the first in the lowest bits.
fn unpack(bytes: u32) -> vec4i {
    return bitcast<vec4i>(vec4u(bytes << 24u, bytes << 16u, bytes << 8u, bytes)) >> vec4u(24u);
}

// The exact sum of products of integers, as in the core.
@compute @workgroup_size(LANES)
fn score_integers(
    @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = place(group, groups);
    let document = block * LANES + lane;
    var sums = vec4i();
    for (var quad = 0u; quad < query.quads; quad += 1u) {
        let bytes = integers[(block * query.quads + quad) * LANES + lane];
        sums += query_integers[quad] * unpack(bytes);
    }
    note(document, f32(sums.x + sums.y + sums.z + sums.w) * (query.scale * scales[document]));
}

var<workgroup> sorted: array<Entry, BLOCK>;

fn is_better(a: Entry, b: Entry) -> bool {
    return a.score > b.score || (a.score == b.score && a.position < b.position);
}

// Sorts a block of entries (Batcher's bitonic sort) and keeps the top ones.
@compute @workgroup_size(SORTERS)
fn keep_best(
    @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = place(group, groups);
    if block * BLOCK >= round_of.count {
        return;
    }
    for (var i = lane; i < BLOCK; i += SORTERS) {
        sorted[i] = NONE;
        if block * BLOCK + i < round_of.count {
            sorted[i] = offered[block * BLOCK + i];
        }
    }
    workgroupBarrier();
    for (var size = 2u; size <= BLOCK; size *= 2u) {
        for (var stride = size / 2u; stride > 0u; stride /= 2u) {
            for (var pair = lane; pair < BLOCK / 2u; pair += SORTERS) {
                let low = 2u * pair - pair % stride;
                let a = sorted[low];
                let b = sorted[low + stride];
                let best_first = (low & size) == 0u;
                if is_better(b, a) == best_first {
                    sorted[low] = b;
                    sorted[low + stride] = a;
                }
            }
            workgroupBarrier();
        }
    }
    for (var i = lane; i < round_of.keep; i += SORTERS) {
        kept[block * round_of.keep + i] = sorted[i];
    }
}
