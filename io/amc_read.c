// Reading AMC over its ASF.
//
// A bone's channels turn it in its own frame C: in the world's axes, which the joints of the model use, that
// is C M C^-1 with M the channels applied in the order of the bone's degrees of freedom. Nothing in the file
// says how fast it plays; CMU recorded at 120 frames a second.
#include "asf.h"
#include "file.h"
#include "gltf.h"

#define FRAMES_PER_SECOND 120.0f

typedef struct Reader {
    sniText text;
    const sniAsf* asf;
    snAllocator allocator;
    uint32_t* first;    // per bone: where its values start in a frame
    uint32_t* last_set; // per bone: the frame that set it last, counted from 1; 0: never
    uint32_t value_count;
    sniList values; // float, value_count a frame
    uint32_t frame_count;
    uint32_t first_bones; // how many bones the first frame has
    bool radians;
} Reader;

// ------------------------------------------------------------------------------------------------ frames

static snResult finish_frame(Reader* r, uint32_t bones) {
    if (r->frame_count == 1) r->first_bones = bones;
    if (r->frame_count == 0 || bones == r->first_bones) return SN_RESULT_OK;
    return sni_text_fail(&r->text, "frame %u ends with %u bones, expected the %u of the first",
                         r->frame_count, bones, r->first_bones);
}

static snResult begin_frame(Reader* r) {
    uint64_t number = 0;
    SNI_TRY(sni_text_whole(&r->text, INT32_MAX, &number));
    size_t needed = r->values.count + r->value_count;
    if (!sni_grow(&r->allocator, &r->values.items, &r->values.capacity, needed, sizeof(float))) {
        return sni_fail_memory(r->text.error);
    }
    // A bone that no frame mentions stays at rest: all its values are 0.
    memset((float*)r->values.items + r->values.count, 0, r->value_count * sizeof(float));
    r->values.count = needed;
    r->frame_count++;
    return SN_RESULT_OK;
}

// Bones come in the same order in every frame, so the next one is looked at first.
static snResult read_bone(Reader* r, uint32_t* cursor) {
    size_t length = sni_text_token(&r->text);
    uint32_t bone = sni_asf_find(r->asf, r->text.p, length, *cursor);
    if (bone == SN_NONE) return sni_text_expected(&r->text, "the name of a bone of the skeleton");
    if (r->frame_count == 0) return sni_text_expected(&r->text, "the number of a frame");
    if (r->last_set[bone] == r->frame_count) {
        return sni_text_fail(&r->text, "frame %u sets bone %.60s twice", r->frame_count,
                             sni_asf_name(r->asf, bone));
    }
    r->last_set[bone] = r->frame_count;
    r->text.p += length;
    float* values = (float*)r->values.items + (r->values.count - r->value_count) + r->first[bone];
    SNI_TRY(sni_text_floats(&r->text, sni_asf_bone(r->asf, bone)->dof_count, values));
    sni_text_blanks(&r->text);
    if (!sni_text_at_line_end(&r->text)) return sni_text_expected(&r->text, "the end of the line");
    *cursor = bone + 1;
    return SN_RESULT_OK;
}

static snResult read_lines(Reader* r) {
    sniText* text = &r->text;
    uint32_t cursor = 0, bones = 0;
    for (sni_text_space(text); text->p < text->end; sni_text_space(text)) {
        if (*text->p == ':') {
            if (sni_text_is(text, ":radians")) r->radians = true;
            if (sni_text_is(text, ":degrees")) r->radians = false;
        } else if (*text->p >= '0' && *text->p <= '9') {
            SNI_TRY(finish_frame(r, bones));
            SNI_TRY(begin_frame(r));
            bones = 0;
        } else {
            SNI_TRY(read_bone(r, &cursor));
            bones++;
        }
        sni_text_next_line(text);
        SNI_TRY(sni_text_tell(text));
    }
    if (r->frame_count == 0) return sni_text_expected(text, "the number of a frame");
    return finish_frame(r, bones);
}

// ------------------------------------------------------------------------------------------------ motion

static bool has_dof(const sniBone* bone, int first, int end) {
    for (int d = 0; d < bone->dof_count; d++) {
        if (bone->dofs[d] >= first && bone->dofs[d] < end) return true;
    }
    return false;
}

static float stretch_of(const Reader* r, size_t bone, const float* frame) {
    const sniBone* b = sni_asf_bone(r->asf, bone);
    for (int d = 0; d < b->dof_count; d++) {
        if (b->dofs[d] == SNI_DOF_LENGTH) return frame[r->first[bone] + (uint32_t)d];
    }
    return 0.0f;
}

static snVec3 moved_offset(const Reader* r, size_t bone, const float* frame) {
    const sniBone* b = sni_asf_bone(r->asf, bone);
    float move[3] = {0, 0, 0};
    for (int d = 0; d < b->dof_count; d++) {
        if (b->dofs[d] < SNI_DOF_TURN) move[b->dofs[d]] = frame[r->first[bone] + (uint32_t)d];
    }
    float stretch = b->parent != SN_NONE ? stretch_of(r, b->parent, frame) : 0.0f;
    snVec3 turned = sn_quat_rotate(b->frame, sn_vec3(move[0], move[1], move[2]));
    // The root's place is given in the world whatever its orientation.
    if (b->parent == SN_NONE) turned = sn_vec3(move[0], move[1], move[2]);
    return sn_add(sni_asf_offset(r->asf, bone, stretch), sn_scale(turned, r->asf->unit));
}

static snQuat turned(const Reader* r, size_t bone, const float* frame) {
    const sniBone* b = sni_asf_bone(r->asf, bone);
    snQuat turn = sn_quat_identity();
    for (int d = 0; d < b->dof_count; d++) {
        if (b->dofs[d] < SNI_DOF_TURN || b->dofs[d] == SNI_DOF_LENGTH) continue;
        float angle = frame[r->first[bone] + (uint32_t)d];
        float degrees = r->radians ? (float)((double)angle * 57.29577951308232) : angle;
        turn = sn_quat_mul(sni_axis_turn(b->dofs[d] - SNI_DOF_TURN, degrees), turn);
    }
    turn = sn_quat_mul(sn_quat_mul(b->frame, turn), sn_quat_conjugate(b->frame));
    return sn_quat_normalize(turn);
}

static bool fill_bone(const Reader* r, sniMotion* motion, size_t bone) {
    const sniBone* b = sni_asf_bone(r->asf, bone);
    bool turns = has_dof(b, SNI_DOF_TURN, SNI_DOF_LENGTH);
    bool moves = has_dof(b, SNI_DOF_MOVE, SNI_DOF_TURN) ||
                 (b->parent != SN_NONE && has_dof(sni_asf_bone(r->asf, b->parent), SNI_DOF_LENGTH, 7));
    if (!sni_motion_track(motion, bone, turns, moves)) return false;
    for (uint32_t f = 0; f < r->frame_count; f++) {
        const float* frame = (const float*)r->values.items + (size_t)f * r->value_count;
        if (turns) motion->tracks[bone].rotations[f] = turned(r, bone, frame);
        if (moves) motion->tracks[bone].translations[f] = moved_offset(r, bone, frame);
    }
    return true;
}

// The tip of a leaf that can stretch.
static bool fill_end(const Reader* r, sniMotion* motion, size_t joint) {
    uint32_t bone = sni_motion_joint(motion, joint)->parent;
    const sniBone* b = sni_asf_bone(r->asf, bone);
    if (!has_dof(b, SNI_DOF_LENGTH, 7)) return true;
    if (!sni_motion_track(motion, joint, false, true)) return false;
    for (uint32_t f = 0; f < r->frame_count; f++) {
        const float* frame = (const float*)r->values.items + (size_t)f * r->value_count;
        motion->tracks[joint].translations[f] =
            sn_scale(b->direction, (b->length + stretch_of(r, bone, frame)) * r->asf->unit);
    }
    return true;
}

static snResult make_model(const Reader* r, const sniSource* source, snModel** out) {
    sniMotion motion = sni_motion(&r->allocator);
    motion.frame_time = 1.0f / FRAMES_PER_SECOND;
    bool done = sni_asf_joints(r->asf, &motion) && sni_motion_tracks(&motion, r->frame_count);
    size_t bones = r->asf->bones.count;
    for (size_t b = 0; b < bones && done; b++) done = fill_bone(r, &motion, b);
    for (size_t j = bones; j < motion.joints.count && done; j++) done = fill_end(r, &motion, j);
    snResult result = done ? sni_motion_model(&motion, source, out) : sni_fail_memory(source->error);
    sni_motion_free(&motion);
    return result;
}

static snResult read_frames(Reader* r, const sniSource* source, snModel** out) {
    size_t bones = r->asf->bones.count;
    r->first = SNI_NEW_ARRAY(&r->allocator, uint32_t, bones);
    r->last_set = SNI_NEW_ARRAY(&r->allocator, uint32_t, bones);
    // Room for one value from the start: a skeleton that cannot move has none, and is no special case then.
    bool room = sni_grow(&r->allocator, &r->values.items, &r->values.capacity, 1, sizeof(float));
    if (r->first == NULL || r->last_set == NULL || !room) return sni_fail_memory(source->error);
    for (size_t b = 0; b < bones; b++) {
        r->first[b] = r->value_count;
        r->value_count += sni_asf_bone(r->asf, b)->dof_count;
    }
    SNI_TRY(read_lines(r));
    SNI_TRY(make_model(r, source, out));
    uint32_t still = 0;
    for (size_t b = 0; b < bones; b++) {
        still += sni_asf_bone(r->asf, b)->dof_count > 0 && r->last_set[b] == 0;
    }
    if (still > 0) sni_note(source->def->notes, "%u bones have no motion and keep their rest pose", still);
    return SN_RESULT_OK;
}

snResult sni_amc_read_with(const sniSource* source, const sniSource* skeleton, snModel** out) {
    sniAsf asf;
    snResult result = sni_asf_parse(skeleton, &asf);
    Reader reader = {
        .text = sni_text(source, '#'), .asf = &asf, .allocator = source->allocator, .radians = asf.radians};
    if (result == SN_RESULT_OK) result = read_frames(&reader, source, out);
    sni_free(&source->allocator, reader.first);
    sni_free(&source->allocator, reader.last_set);
    sni_free(&source->allocator, reader.values.items);
    sni_asf_free(&asf);
    return result;
}

// ---------------------------------------------------------------------------------------------- skeleton

static snResult fail_search(const sniSource* source, uint32_t count) {
    char stem[SNI_STEM_MAX];
    sni_path_stem(source->name, stem);
    sni_fail(source->error, SN_RESULT_NOT_FOUND,
             "has no skeleton: looked for %.80s.asf, for an .asf whose name begins this file's, and for the "
             "only .asf of the folder (it has %u)",
             stem, count);
    if (source->error != NULL) {
        snprintf(source->error->file, sizeof source->error->file, "%s", source->name);
    }
    return SN_RESULT_NOT_FOUND;
}

// The .asf of the folder whose stem is the longest beginning of the motion's; else the only one.
static const char* best_name(const sniSource* source, const sniBytes* names, uint32_t count) {
    char stem[SNI_STEM_MAX], other[SNI_STEM_MAX];
    sni_path_stem(source->name, stem);
    const char* best = count == 1 ? (const char*)names->data : NULL;
    size_t longest = 0;
    const char* name = (const char*)names->data;
    for (uint32_t i = 0; i < count; i++, name += strlen(name) + 1) {
        sni_path_stem(name, other);
        size_t length = strlen(other);
        if (length <= longest || strncmp(stem, other, length) != 0) continue;
        longest = length;
        best = name;
    }
    return best;
}

static snResult find_skeleton(const sniSource* source, char path[SNI_PATH_MAX]) {
    if (source->def->companion != NULL) {
        snprintf(path, SNI_PATH_MAX, "%s", source->def->companion);
        return SN_RESULT_OK;
    }
    if (!source->external) return fail_search(source, 0);
    sniBytes names = sni_bytes(&source->allocator);
    uint32_t count = 0;
    snResult result = sni_beside_list(&source->beside, source->name, ".asf", &names, &count, source->error);
    if (result == SN_RESULT_OK) {
        const char* name = best_name(source, &names, count);
        bool found = name != NULL && sni_path_beside(source->name, name, path);
        result = found ? SN_RESULT_OK : fail_search(source, count);
    }
    sni_bytes_free(&names);
    return result;
}

snResult sni_amc_read(const sniSource* source, snModel** out) {
    char path[SNI_PATH_MAX];
    SNI_TRY(find_skeleton(source, path));
    sniSource skeleton;
    SNI_TRY(sni_source_open(source, path, &skeleton));
    skeleton.to = skeleton.from; // it is short
    snResult result = sni_amc_read_with(source, &skeleton, out);
    sni_source_close(&skeleton);
    return result;
}
