// Embree's rtcCollide on bodies that deform: a library with a plain C interface, loaded by the program beside it.
//
// One scene a body, of user geometry with a primitive a triangle. Geometry of quality REFIT in a scene of quality LOW:
// with any other quality of the scene Embree builds it anew each frame without a word. Embree hands back the products
// of its leaves, so the boxes of two triangles are compared before the triangles are. Whether two triangles meet is
// decided by a function of the caller's, the same for every library that is measured.

#include <embree3/rtcore.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace {

using Meet = bool (*)(const float (*)[3], const float (*)[3]);

struct Body {
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;
    std::vector<float> positions;
    std::vector<uint32_t> triangles;

    const float* corner(uint32_t triangle, int which) const { return &positions[3 * triangles[3 * triangle + which]]; }

    void box(uint32_t triangle, float low[3], float high[3]) const {
        const float *p = corner(triangle, 0), *q = corner(triangle, 1), *r = corner(triangle, 2);
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(std::min(p[axis], q[axis]), r[axis]);
            high[axis] = std::max(std::max(p[axis], q[axis]), r[axis]);
        }
    }
};

struct Peer {
    RTCDevice device = nullptr;
    Meet meet = nullptr;
    std::vector<std::unique_ptr<Body>> bodies;
    std::vector<uint32_t> found;
};

struct Query {
    Peer* peer;
    const Body *a, *b;
    bool is_self;
};

void bounds(const RTCBoundsFunctionArguments* arguments) {
    const Body& body = *static_cast<const Body*>(arguments->geometryUserPtr);
    float low[3], high[3];
    body.box(arguments->primID, low, high);
    RTCBounds* out = arguments->bounds_o;
    out->lower_x = low[0], out->lower_y = low[1], out->lower_z = low[2];
    out->upper_x = high[0], out->upper_y = high[1], out->upper_z = high[2];
}

bool share_a_vertex(const Body& body, uint32_t s, uint32_t t) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (body.triangles[3 * s + i] == body.triangles[3 * t + j]) return true;
    return false;
}

void collide(void* user, RTCCollision* collisions, unsigned count) {
    Query& query = *static_cast<Query*>(user);
    for (unsigned i = 0; i < count; ++i) {
        uint32_t s = collisions[i].primID0, t = collisions[i].primID1;
        if (query.is_self && s >= t) continue;
        float low_s[3], high_s[3], low_t[3], high_t[3];
        query.a->box(s, low_s, high_s);
        query.b->box(t, low_t, high_t);
        bool apart = false;
        for (int axis = 0; axis < 3; ++axis) apart |= low_s[axis] > high_t[axis] || low_t[axis] > high_s[axis];
        if (apart || (query.is_self && share_a_vertex(*query.a, s, t))) continue;
        float corners_s[3][3], corners_t[3][3];
        for (int which = 0; which < 3; ++which) {
            std::memcpy(corners_s[which], query.a->corner(s, which), sizeof corners_s[which]);
            std::memcpy(corners_t[which], query.b->corner(t, which), sizeof corners_t[which]);
        }
        if (query.peer->meet(corners_s, corners_t)) {
            query.peer->found.push_back(s);
            query.peer->found.push_back(t);
        }
    }
}

}  // namespace

// One thread: `found` is appended to without a lock.
extern "C" Peer* peer_new(Meet meet) {
    auto peer = std::make_unique<Peer>();
    peer->device = rtcNewDevice("threads=1");
    peer->meet = meet;
    return peer->device ? peer.release() : nullptr;
}

extern "C" void peer_add(Peer* peer, const float* positions, size_t vertices, const uint32_t* triangles, size_t count) {
    auto body = std::make_unique<Body>();
    body->positions.assign(positions, positions + 3 * vertices);
    body->triangles.assign(triangles, triangles + 3 * count);
    body->geometry = rtcNewGeometry(peer->device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(body->geometry, static_cast<unsigned>(count));
    rtcSetGeometryUserData(body->geometry, body.get());
    rtcSetGeometryBoundsFunction(body->geometry, bounds, nullptr);
    rtcSetGeometryBuildQuality(body->geometry, RTC_BUILD_QUALITY_REFIT);
    rtcCommitGeometry(body->geometry);
    body->scene = rtcNewScene(peer->device);
    rtcSetSceneFlags(body->scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(body->scene, RTC_BUILD_QUALITY_LOW);
    rtcAttachGeometry(body->scene, body->geometry);
    rtcCommitScene(body->scene);
    peer->bodies.push_back(std::move(body));
}

extern "C" void peer_update(Peer* peer, size_t at, const float* positions) {
    Body& body = *peer->bodies[at];
    std::memcpy(body.positions.data(), positions, sizeof(float) * body.positions.size());
    rtcCommitGeometry(body.geometry);
    rtcCommitScene(body.scene);
}

// The pairs of two bodies, or of one with itself: two numbers each, valid until the next call.
extern "C" size_t peer_pairs(Peer* peer, size_t a, size_t b, const uint32_t** found) {
    peer->found.clear();
    Query query{peer, peer->bodies[a].get(), peer->bodies[b].get(), a == b};
    rtcCollide(query.a->scene, query.b->scene, collide, &query);
    *found = peer->found.data();
    return peer->found.size() / 2;
}

extern "C" int peer_error(Peer* peer) { return rtcGetDeviceError(peer->device); }

extern "C" void peer_free(Peer* peer) {
    for (auto& body : peer->bodies) {
        rtcReleaseScene(body->scene);
        rtcReleaseGeometry(body->geometry);
    }
    rtcReleaseDevice(peer->device);
    delete peer;
}
