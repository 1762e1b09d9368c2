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

# sinew_count_lines(TARGET...): the lines of these targets are counted in a build that measures coverage. Tests say where
# by LLVM_PROFILE_FILE; sinew-import, which is started without an environment, needs the name given here.
function(sinew_count_lines)
  if(SINEW_COVERAGE)
    foreach(target ${ARGN})
      target_compile_options(${target} PRIVATE -fcoverage-mapping
        -fprofile-instr-generate=${PROJECT_BINARY_DIR}/profiles/%2m.profraw)
    endforeach()
  endif()
endfunction()
