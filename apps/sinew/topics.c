// Help about what several verbs share.
#include "cli.h"

const cliTopic cli_topics[] = {
    {"files", "Which files are read and written",
     "Models      .glb .gltf .obj .off .ply .stl; .fbx and other formats by sinew-import; .mhskel with "
     "MakeHuman's\n"
     "            target; .snproject. Quads, materials, textures, extras and what Sinew does not know "
     "survive a glTF.\n"
     "Motions     .bvh, .amc with its .asf beside it (--companion says where else), .glb, .gltf, .fbx\n"
     "Points      .pc2 and .mdd, one file a mesh, NAME.MESH.pc2, or one of all with --join; numbered .obj\n"
     "Pictures    .png, .gif, .mp4 (films need ffmpeg in PATH)\n"
     "Handles     .snrig (sinew rig), .snpose (sinew pose --save), paths as JSON (sinew help handles)\n"
     "Builtin     builtin:body, :tube, :bar, :cube, :sheet; builtin:body:6000 with that many vertices\n"
     "-           standard input or output; --formats says what it is\n"
     "Lengths of glTF and OBJ are metres unless --unit says otherwise; BVH is scaled to the character."},
    {"joints", "How joints are named in options",
     "By their names in the file, with * for any letters ('*Elbow'), or by their body names, whatever the "
     "file\n"
     "calls them: Hips Spine Chest Neck Head, and with Left or Right in front Clavicle Shoulder Elbow Wrist "
     "Hip Knee\n"
     "Ankle Toes. So it is in --focus, --style, --stiffness, --profile, --push and sinew check's tables.\n"
     "sinew info MODEL lists the joints."},
    {"maps", "Which joint follows which",
     "Joints are matched by name across the usual conventions, and by structure where names do not help. "
     "--verbose lists\n"
     "the pairs. --map FILE corrects them:\n"
     "  {\"joints\": {\"TARGET\": \"SOURCE\", \"OTHER\": null}}\n"
     "null leaves a joint at rest, #12 is joint 12, for files without names. Skeletons that do not fit are "
     "refused with\n"
     "the reason unless there is a map."},
    {"volume", "Parts, exact volume, profiles and breathing",
     "--volume parts gives back what the parts around joints lose, through the lattice; exact restores the "
     "volume of each\n"
     "closed piece of the surface, to 3e-7, but for what would turn faces over; parts+exact does both.\n"
     "--profile JOINT=PROFILE says where exact volume goes: isotropic rubber muscle folds belly thigh finger "
     "sleeve, or a\n"
     "file; --refine splits faces where folds need them. --target-volume changes it over time:\n"
     "  {\"targets\": [{\"joint\": \"Chest\", \"loop\": true, \"keys\": [[0, 1], [1.5, 1.04], [3, 1]]}]}\n"
     "in seconds and factors of the volume at rest. sinew settings volume lists every setting."},
    {"handles", "Posing without a skeleton",
     "  sinew rig scan.obj -o scan.snrig                     rigid parts, found or marked\n"
     "  sinew pose scan.obj --rig scan.snrig --pose P -o OUT  by poses, or --target HANDLE=X,Y,Z among "
     "--examples\n"
     "  sinew animate scan.obj --rig scan.snrig --examples DIR --path FILE -o OUT\n"
     "A path file is {\"sinew_path\": 1, ...} with paths, a walk or keyframes (docs/paths.md). With a MOTION "
     "the handles go\n"
     "where its joints say; a map is {\"joints\": {\"HANDLE\": \"JOINT\"}}. A .png shows the last frame."},
    {"exit-codes", "What the program returns",
     "0 done\n1 a measure of sinew check failed, or a job of sinew batch\n2 bad input: the message has the "
     "file, the position and the reason\n"
     "3 usage: the command line is wrong\n4 memory, time or I/O: --memory, --time-limit, a full disk\n"
     "Results go to stdout (--json), everything else to stderr. No file is ever half-written."},
    {NULL, NULL, NULL},
};
