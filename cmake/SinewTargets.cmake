# Flags that every Sinew target shares.

# sinew_flags: what makes results the same bits everywhere, plus warnings. Private to our own targets.
add_library(sinew_flags INTERFACE)
target_compile_features(sinew_flags INTERFACE c_std_17)
target_compile_options(sinew_flags INTERFACE
  -ffp-contract=off # no fused multiply-add: the scalar path, SIMD and WASM must agree
  -fno-fast-math
  -fno-math-errno   # sqrtf becomes the (exact) instruction
  -fvisibility=hidden
  -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla)
if(SINEW_WERROR)
  target_compile_options(sinew_flags INTERFACE -Werror)
endif()
if(SINEW_COVERAGE)
  # Atomic: workers that count together would otherwise lose counts, and gcovr refuses the negative ones.
  target_compile_options(sinew_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(sinew_flags INTERFACE --coverage)
endif()
