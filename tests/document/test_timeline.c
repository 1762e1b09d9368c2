// Strips and keys in a document: the clip that they make, the history, the project, and what edits of clips
// do to them.
#include <string.h>

#include "document/document.h"
#include "edits.h"

enum { HAND = 20, CLIPS = 4 };

static snResult open_body(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_open(document, "builtin:body:1200", NULL, error);
}

// A walk that a jump comes into, with a key on top.
static snResult set_mix(snDocument* document, float start, snError* error) {
    snStrip strips[2] = {sn_strip(), sn_strip()};
    strips[0].rounds = 2.0f;
    strips[1].clip = 1;
    strips[1].start = start;
    snMixDef mix = sn_mix_def();
    mix.name = "show";
    mix.strips = strips;
    mix.strip_count = 2;
    return sn_document_set_timeline(document, &mix, error);
}

static snResult two_strips(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return set_mix(document, 1.5f, error);
}
static snResult later(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return set_mix(document, 1.8f, error);
}

static void sample(const snDocument* document, uint32_t clip, float time, snTrs* locals) {
    const snModel* model = sn_document_model(document);
    const snSkeleton* s = model->skeleton;
    memcpy(locals, s->rest, s->joint_count * sizeof *locals);
    sn_clip_sample(model->clips[clip], time, SN_WRAP_CLAMP, s->joint_count, locals);
}

enum { MOST_JOINTS = 64 };
static const uint32_t posed_joints[2] = {HAND - 1, HAND};

// Turned from where the strips have them.
static snResult pose_two(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    snTrs locals[MOST_JOINTS];
    sample(document, sn_document_timeline_clip(document), 0.7f, locals);
    snQuat turn = sn_quat_axis_angle(sn_vec3(0, 0, 1), 0.6f);
    for (int i = 0; i < 2; i++)
        locals[posed_joints[i]].rotation = sn_quat_mul(turn, locals[posed_joints[i]].rotation);
    return sn_document_key_joints(document, SN_CLIP_REST, 0.7f, posed_joints, 2, locals, error);
}
static snResult remove_jump(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_remove_clip(document, 1, error);
}
static snResult trim_walk(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_trim_clip(document, 0, 0.2f, 0.9f, 30.0f, error);
}
static snResult remove_keys(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_remove_keys(document, HAND, 0.0f, 10.0f, error);
}
static snResult away(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_set_timeline(document, NULL, error);
}

static const Step steps[] = {{"open", open_body},
                             {"two strips", two_strips},
                             {"later", later},
                             {"pose two joints", pose_two},
                             {"remove the jump", remove_jump},
                             {"trim the walk", trim_walk},
                             {"remove keys", remove_keys},
                             {"away", away}};
enum { STEPS = sizeof steps / sizeof steps[0] };

static snDocument* run_steps(int count) {
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    for (int i = 0; i < count; i++)
        edits_expect(steps[i].run(document, &edits_nobody, &error), &error, steps[i].name);
    return document;
}

static void undo_and_redo(void** state) {
    (void)state;
    edits_undo_and_redo(steps, STEPS);
}
static void memory_fails(void** state) {
    (void)state;
    edits_fail_memory(steps, STEPS);
}
static void without_a_history_it_is_the_same(void** state) {
    (void)state;
    snDocument* place = edits_make_with(0, NULL);
    snError error = sn_error_none();
    for (int i = 0; i < 6; i++)
        edits_expect(steps[i].run(place, &edits_nobody, &error), &error, steps[i].name);
    snDocument* kept = run_steps(6);
    assert_true(sn_document_timeline(place)->key_count == sn_document_timeline(kept)->key_count);
    snTrs a[MOST_JOINTS], b[MOST_JOINTS];
    sample(kept, sn_document_timeline_clip(kept), 0.7f, a);
    sample(place, sn_document_timeline_clip(place), 0.7f, b);
    assert_memory_equal(a, b, sn_document_model(kept)->skeleton->joint_count * sizeof *a);
    sn_document_destroy(place);
    sn_document_destroy(kept);
}

static void its_clip_is_what_the_strips_make(void** state) {
    (void)state;
    snDocument* document = run_steps(2);
    const snModel* model = sn_document_model(document);
    uint32_t clip = sn_document_timeline_clip(document);
    assert_int_equal(clip, model->clip_count - 1);
    assert_string_equal(model->clips[clip]->name, "show");
    assert_float_equal(model->clips[clip]->duration, 1.5f + model->clips[1]->duration, 1e-4f);
    snClip* made = NULL;
    assert_ok(sn_clip_mix(sn_document_timeline(document), model->skeleton, (const snClip* const*)model->clips,
                          model->clip_count, NULL, &made, NULL));
    snTrs a[MOST_JOINTS], b[MOST_JOINTS];
    assert_true(model->skeleton->joint_count <= MOST_JOINTS);
    sample(document, clip, 1.7f, a);
    memcpy(b, model->skeleton->rest, model->skeleton->joint_count * sizeof *b);
    sn_clip_sample(made, 1.7f, SN_WRAP_CLAMP, model->skeleton->joint_count, b);
    assert_memory_equal(a, b, model->skeleton->joint_count * sizeof *a);
    sn_clip_destroy(made);
    sn_document_destroy(document);
}

// What was posed is there at its frame, to the last bits of floats, and nothing else is moved.
static void keys_hold_what_was_posed(void** state) {
    (void)state;
    snDocument* document = run_steps(3);
    uint32_t clip = sn_document_timeline_clip(document);
    uint32_t joints = sn_document_model(document)->skeleton->joint_count;
    snTrs before[MOST_JOINTS], after[MOST_JOINTS];
    sample(document, clip, 0.7f, before);
    assert_ok(pose_two(document, &edits_nobody, NULL));
    assert_int_equal(sn_document_timeline_clip(document), clip);
    assert_int_equal(sn_document_timeline(document)->key_count, 2);
    sample(document, clip, 0.7f, after);
    for (uint32_t j = 0; j < joints; j++) {
        bool posed = j == HAND || j == HAND - 1;
        float turned = fabsf(sn_quat_dot(after[j].rotation, before[j].rotation)); // cosine of half the turn
        assert_near(turned, posed ? 0.955336 : 1.0, 1e-5);
        assert_true(sn_distance(after[j].translation, before[j].translation) < 1e-5f);
    }
    // Keyed again at that frame it is replaced, not doubled.
    assert_ok(pose_two(document, &edits_nobody, NULL));
    assert_int_equal(sn_document_timeline(document)->key_count, 2);
    sn_document_destroy(document);
}

static void a_pose_alone_makes_a_timeline(void** state) {
    (void)state;
    snDocument* document = run_steps(1);
    snTrs locals[MOST_JOINTS];
    uint32_t joint = HAND;
    sample(document, 0, 0.5f, locals);
    assert_ok(sn_document_key_joints(document, 0, 0.5f, &joint, 1, locals, NULL));
    const snMixDef* mix = sn_document_timeline(document);
    assert_int_equal(mix->strip_count, 1);
    assert_int_equal(mix->strips[0].clip, 0);
    assert_int_equal(mix->key_count, 1);
    assert_int_equal(sn_document_undo_count(document), 2);
    sn_document_destroy(document);
}

static void other_clips_leave_it_whole(void** state) {
    (void)state;
    snDocument* document = run_steps(4);
    const snModel* model = sn_document_model(document);
    uint32_t clip = sn_document_timeline_clip(document);
    assert_ok(sn_document_remove_clip(document, 1, NULL)); // the jump that the second strip plays
    model = sn_document_model(document);
    assert_int_equal(sn_document_timeline_clip(document), clip - 1);
    assert_int_equal(sn_document_timeline(document)->strip_count, 1);
    assert_float_equal(model->clips[clip - 1]->duration, 2.0f * model->clips[0]->duration, 1e-4f);
    assert_ok(sn_document_trim_clip(document, 0, 0.0f, 0.5f, 30.0f, NULL));
    model = sn_document_model(document);
    assert_float_equal(sn_document_timeline(document)->strips[0].to, 0.5f, 1e-6f);
    assert_float_equal(model->clips[clip - 1]->duration, 1.0f, 1e-3f);
    // Its own clip, trimmed, is one like any other.
    assert_ok(sn_document_trim_clip(document, clip - 1, 0.0f, 0.4f, 30.0f, NULL));
    assert_null(sn_document_timeline(document));
    assert_int_equal(sn_document_timeline_clip(document), SN_NONE);
    assert_int_equal(sn_document_model(document)->clip_count, CLIPS);
    sn_document_destroy(document);
}

// Strips of a trimmed clip go on playing what they played; a strip without length changes nothing.
static void trims_move_strips_along(void** state) {
    (void)state;
    snDocument* document = run_steps(1);
    snStrip strips[2] = {sn_strip(), sn_strip()};
    strips[0].from = 0.6f;
    strips[0].to = 0.8f;
    snMixDef mix = sn_mix_def();
    mix.strips = strips;
    mix.strip_count = 1;
    assert_ok(sn_document_set_timeline(document, &mix, NULL));
    uint32_t clip = sn_document_timeline_clip(document),
             joints = sn_document_model(document)->skeleton->joint_count;
    snTrs before[MOST_JOINTS], after[MOST_JOINTS];
    sample(document, clip, 0.1f, before);
    assert_ok(sn_document_trim_clip(document, 0, 0.5f, 0.9f, 30.0f, NULL));
    const snStrip* left = &sn_document_timeline(document)->strips[0];
    assert_near(left->from, 0.1, 1e-6);
    assert_near(left->to, 0.3, 1e-6);
    sample(document, clip, 0.1f, after);
    for (uint32_t j = 0; j < joints; j++)
        assert_true(fabsf(sn_quat_dot(after[j].rotation, before[j].rotation)) > 0.9999f);
    strips[0] = strips[1] = sn_strip();
    strips[1].clip = 1;
    strips[1].start = 0.1f;
    strips[1].from = strips[1].to = 0.3f;
    assert_ok(sn_document_set_timeline(document, &mix, NULL));
    sample(document, clip, 0.3f, before);
    mix.strip_count = 2;
    assert_ok(sn_document_set_timeline(document, &mix, NULL));
    sample(document, clip, 0.3f, after);
    assert_memory_equal(after, before, joints * sizeof *after);
    sn_document_destroy(document);
}

// Where keys lay closer than frames do now, one takes the place of all; a root's keys turn with the model.
static void keys_at_one_moment_and_turned_roots(void** state) {
    (void)state;
    snDocument* document = run_steps(1);
    snTrs locals[MOST_JOINTS];
    uint32_t joint = HAND, root = sn_document_model(document)->skeleton->order[0];
    for (uint32_t i = 14; i <= 16; i++) {
        sample(document, 0, 0.5f, locals);
        assert_ok(sn_document_key_joints(document, 0, (float)i / 30.0f, &joint, 1, locals, NULL));
    }
    snMixDef slow = *sn_document_timeline(document);
    assert_int_equal(slow.key_count, 3);
    slow.fps = 10.0f;
    assert_ok(sn_document_set_timeline(document, &slow, NULL));
    assert_ok(sn_document_key_joints(document, 0, 0.5f, &joint, 1, locals, NULL));
    assert_int_equal(sn_document_timeline(document)->key_count, 1);
    sample(document, sn_document_timeline_clip(document), 0.5f, locals);
    locals[root].translation.y += 0.5f;
    assert_ok(sn_document_key_joints(document, 0, 0.5f, &root, 1, locals, NULL));
    uint32_t clip = sn_document_timeline_clip(document),
             joints = sn_document_model(document)->skeleton->joint_count;
    assert_ok(sn_document_orient(document, SN_AXIS_Z, SN_AXIS_MINUS_Y, NULL, NULL, NULL));
    snTrs turned[MOST_JOINTS], again[MOST_JOINTS];
    sample(document, clip, 0.5f, turned);
    snMixDef same = *sn_document_timeline(document);
    assert_ok(sn_document_set_timeline(document, &same, NULL));
    sample(document, clip, 0.5f, again);
    for (uint32_t j = 0; j < joints; j++)
        assert_vec3_near(again[j].translation, turned[j].translation, 1e-5f);
    sn_document_destroy(document);
}

static void wrong_ones_change_nothing(void** state) {
    (void)state;
    snDocument* document = run_steps(4);
    uint64_t hash = sn_document_hash(document);
    snError error = sn_error_none();
    snMixDef mix = *sn_document_timeline(document);
    snStrip strip = sn_strip();
    mix.strips = &strip;
    mix.strip_count = 1;
    strip.clip = sn_document_timeline_clip(document);
    assert_int_equal(sn_document_set_timeline(document, &mix, &error), SN_RESULT_INVALID_ARGUMENT);
    strip.clip = 99;
    assert_int_equal(sn_document_set_timeline(document, &mix, &error), SN_RESULT_NOT_FOUND);
    strip = sn_strip();
    strip.speed = 0.0f;
    assert_int_equal(sn_document_set_timeline(document, &mix, &error), SN_RESULT_INVALID_ARGUMENT);
    snTrs locals[MOST_JOINTS];
    uint32_t joint = 999;
    sample(document, 0, 0.0f, locals);
    assert_int_equal(sn_document_key_joints(document, 0, 0.0f, &joint, 1, locals, &error),
                     SN_RESULT_NOT_FOUND);
    joint = 0;
    assert_int_equal(sn_document_key_joints(document, 0, -1.0f, &joint, 1, locals, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_true(sn_document_hash(document) == hash);
    sn_document_destroy(document);
}

static void a_project_keeps_it(void** state) {
    (void)state;
    snDocument *document = run_steps(4), *other = edits_make(NULL);
    snBytes bytes = {0};
    snError error = sn_error_none();
    edits_expect(sn_document_save_memory(document, &bytes, &error), &error, "save");
    edits_expect(sn_document_open_memory(other, "a.snproject", bytes.data, bytes.size, NULL, &error), &error,
                 "open");
    assert_true(sn_document_hash(other) == sn_document_hash(document));
    assert_int_equal(sn_document_timeline(other)->strip_count, 2);
    assert_int_equal(sn_document_timeline_clip(other), sn_document_timeline_clip(document));
    edits_expect(later(other, &edits_nobody, &error), &error, "edit");
    sn_bytes_free(&bytes);
    sn_document_destroy(document);
    sn_document_destroy(other);
}

static void damaged_bytes_are_refused(void** state) {
    (void)state;
    snDocument* document = run_steps(4);
    const snAllocator* memory = &document->allocator;
    sniBytes bytes = sni_bytes(memory);
    sni_timeline_put(&document->state.timeline, &bytes);
    for (size_t size = 4; size < bytes.size; size += 4) {
        sniTimeline made = {0};
        assert_int_equal(sni_timeline_get((sniSlice){bytes.data, size}, memory, &made, NULL),
                         SN_RESULT_BAD_DATA);
    }
    for (size_t at = 0; at < bytes.size; at++) {
        sniTimeline made = {0};
        uint8_t was = bytes.data[at];
        bytes.data[at] = 0xff;
        sni_timeline_get((sniSlice){bytes.data, bytes.size}, memory, &made, NULL);
        bytes.data[at] = was;
        sni_timeline_free(&made, memory);
    }
    sni_bytes_free(&bytes);
    sn_document_destroy(document);
}

// A walk of another body, its arm left at rest, and given back.
static void a_clip_is_mapped_anew_in_its_place(void** state) {
    (void)state;
    snDocument* document = run_steps(1);
    snSource* source = NULL;
    snError error = sn_error_none();
    snMotionReport report = {0};
    snMotionDef def = sn_motion_def();
    def.ground = false;
    edits_expect(sn_source_open(document, "builtin:body:1000", NULL, &source, &error), &error, "source");
    edits_expect(sn_document_add_motion(document, source, &def, NULL, &error), &error, "add");
    uint32_t clip = CLIPS, joint = HAND - 1;
    snJointMap* map = NULL;
    edits_expect(sn_document_clip_map(document, clip, &map, &error), &error, "map");
    assert_int_equal(map->pairs[joint].source, joint);
    sn_joint_map_destroy(map);
    assert_int_equal(sn_document_clip_map(document, 0, &map, &error), SN_RESULT_NOT_FOUND);
    uint64_t hash = sn_document_hash(document);
    const snSkeleton* skeleton = sn_document_model(document)->skeleton;
    snJointOverride other = {skeleton->names[joint], NULL};
    edits_expect(sn_document_remap_clip(document, clip, &other, NULL, &report, &error), &error, "remap");
    assert_int_equal(report.clip, clip);
    assert_int_equal(sn_document_model(document)->clip_count, CLIPS + 1);
    assert_ok(sn_document_clip_map(document, clip, &map, NULL));
    assert_int_equal(map->pairs[joint].source, SN_NONE);
    sn_joint_map_destroy(map);
    edits_expect(sn_document_undo(document, &error), &error, "undo");
    assert_true(sn_document_hash(document) == hash);
    edits_expect(sn_document_redo(document, &error), &error, "redo");
    edits_expect(sn_document_remap_clip(document, clip, NULL, NULL, NULL, &error), &error, "as found");
    assert_true(sn_document_hash(document) == hash);
    sn_source_close(source);
    sn_document_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(its_clip_is_what_the_strips_make),
                                       cmocka_unit_test(keys_hold_what_was_posed),
                                       cmocka_unit_test(a_pose_alone_makes_a_timeline),
                                       cmocka_unit_test(other_clips_leave_it_whole),
                                       cmocka_unit_test(trims_move_strips_along),
                                       cmocka_unit_test(keys_at_one_moment_and_turned_roots),
                                       cmocka_unit_test(wrong_ones_change_nothing),
                                       cmocka_unit_test(a_project_keeps_it),
                                       cmocka_unit_test(damaged_bytes_are_refused),
                                       cmocka_unit_test(a_clip_is_mapped_anew_in_its_place),
                                       cmocka_unit_test(undo_and_redo),
                                       cmocka_unit_test(without_a_history_it_is_the_same),
                                       cmocka_unit_test(memory_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
