// Sinew: skin that moves like flesh. One header for everything in the library; files are in sinew/io.h.
#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include "sinew/bake.h"
#include "sinew/base.h"
#include "sinew/bind.h"
#include "sinew/builtin.h"
#include "sinew/character.h"
#include "sinew/check.h"
#include "sinew/fit.h"
#include "sinew/flesh.h"
#include "sinew/handles.h"
#include "sinew/lattice.h"
#include "sinew/math.h"
#include "sinew/paths.h"
#include "sinew/pick.h"
#include "sinew/poses.h"
#include "sinew/puppet.h"
#include "sinew/retarget.h"
#include "sinew/rig.h"
#include "sinew/segment.h"
#include "sinew/settings.h"
#include "sinew/shape.h"
#include "sinew/skin.h"
#include "sinew/sparse.h"
#include "sinew/spline.h"
#include "sinew/style.h"
#include "sinew/surface.h"
#include "sinew/volume.h"

#endif
