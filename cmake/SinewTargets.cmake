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
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT EMSCRIPTEN)
  # gcc's vectoriser forms fused operations even so when -march=native allows them.
  target_compile_options(sinew_flags INTERFACE -mno-fma)
endif()
if(SINEW_WERROR)
  target_compile_options(sinew_flags INTERFACE -Werror)
endif()
if(SINEW_COVERAGE)
  target_compile_options(sinew_flags INTERFACE --coverage)
  target_link_options(sinew_flags INTERFACE --coverage)
endif()
