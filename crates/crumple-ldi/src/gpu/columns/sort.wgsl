// Sorts every column, drops what lies beyond the far plane, and tells what was noticed on the way.

@group(0) @binding(0) var<uniform> window: Window;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read_write> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> lengths: array<u32>;
@group(0) @binding(4) var<storage, read_write> status: Status;

var<workgroup> deepest: atomic<u32>;
var<workgroup> odd: atomic<u32>;
var<workgroup> unordered: atomic<u32>;
var<workgroup> kept: atomic<u32>;

fn insertion_sort(start: u32, length: u32) {
    for (var next = 1u; next < length; next++) {
        let key = keys[start + next];
        var at = next;
        while at > 0u && keys[start + at - 1u] > key {
            keys[start + at] = keys[start + at - 1u];
            at--;
        }
        keys[start + at] = key;
    }
}

fn sift(start: u32, from_place: u32, length: u32) {
    var at = from_place;
    let key = keys[start + at];
    loop {
        var child = 2u * at + 1u;
        if child >= length {
            break;
        }
        if child + 1u < length && keys[start + child + 1u] > keys[start + child] {
            child++;
        }
        if keys[start + child] <= key {
            break;
        }
        keys[start + at] = keys[start + child];
        at = child;
    }
    keys[start + at] = key;
}

fn heap_sort(start: u32, length: u32) {
    for (var at = length / 2u; at > 0u; at--) {
        sift(start, at - 1u, length);
    }
    for (var end = length - 1u; end > 0u; end--) {
        let key = keys[start + end];
        keys[start + end] = keys[start];
        keys[start] = key;
        sift(start, 0u, end);
    }
}

// Whether entries and exits alternate, in whatever order crossings at one depth are taken: a depth may hold one more of
// the side that is due, or as many of each.
fn alternates(start: u32, length: u32) -> bool {
    // 0: nothing is due yet, 1: an entry, 2: an exit.
    var due = 0u;
    var at = 0u;
    while at < length {
        let depth = keys[start + at] >> 1u;
        var excess = 0;
        while at < length && (keys[start + at] >> 1u) == depth {
            excess += select(-1, 1, is_exit(keys[start + at]));
            at++;
        }
        if excess != 0 {
            let side = select(1u, 2u, excess > 0);
            if abs(excess) > 1 || (due != 0u && due != side) {
                return false;
            }
            due = 3u - side;
        }
    }
    return true;
}

@compute @workgroup_size(64)
fn sort_columns(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let pixel = thread(id, groups, 64u);
    if pixel < window.count.x * window.count.y && status.fragments <= arrayLength(&keys) {
        let start = offsets[pixel];
        var length = offsets[pixel + 1u] - start;
        if length > 48u {
            heap_sort(start, length);
        } else if length > 1u {
            insertion_sort(start, length);
        }
        while length > 0u && keys[start + length - 1u] == BEYOND {
            length--;
        }
        lengths[pixel] = length;
        if length > 0u {
            let is_odd = length % 2u;
            atomicMax(&deepest, length);
            atomicAdd(&kept, length);
            atomicAdd(&odd, is_odd);
            let ends_inside = window.size.w == 0 && is_odd == 1u;
            atomicAdd(&unordered, select(0u, 1u, ends_inside || !alternates(start, length)));
        }
    }
    workgroupBarrier();
    if local == 0u {
        atomicMax(&status.depth_complexity, atomicLoad(&deepest));
        atomicAdd(&status.odd, atomicLoad(&odd));
        atomicAdd(&status.unordered, atomicLoad(&unordered));
        atomicAdd(&status.kept, atomicLoad(&kept));
    }
}
