# sinew_cholmod: CHOLMOD as the system has it or, for builds that no package is made for (WASM, other processors), from
# the sources that scripts/suitesparse.sh fetches. Those are compiled by our rules, so their bits are the same.
set(SINEW_SUITESPARSE "" CACHE PATH "Sources of SuiteSparse, instead of the system's library")

if(SINEW_SUITESPARSE)
  file(GLOB SINEW_CHOLMOD_SOURCES
    ${SINEW_SUITESPARSE}/CHOLMOD/Core/cholmod_*.c ${SINEW_SUITESPARSE}/CHOLMOD/Cholesky/cholmod_*.c
    ${SINEW_SUITESPARSE}/AMD/Source/amd_*.c ${SINEW_SUITESPARSE}/COLAMD/Source/colamd.c
    ${SINEW_SUITESPARSE}/SuiteSparse_config/SuiteSparse_config.c)
  list(FILTER SINEW_CHOLMOD_SOURCES EXCLUDE REGEX "_l_|cholmod_l")
  add_library(sinew_cholmod STATIC ${SINEW_CHOLMOD_SOURCES})
  foreach(part CHOLMOD AMD COLAMD)
    target_include_directories(sinew_cholmod SYSTEM PUBLIC ${SINEW_SUITESPARSE}/${part}/Include)
  endforeach()
  target_include_directories(sinew_cholmod SYSTEM PUBLIC ${SINEW_SUITESPARSE}/SuiteSparse_config)
  target_compile_definitions(sinew_cholmod PUBLIC NGPL NPARTITION NCAMD NCHECK NTIMER NMATRIXOPS NMODIFY NSUPERNODAL)
  target_compile_options(sinew_cholmod PRIVATE -ffp-contract=off -fno-fast-math -w)
  target_link_libraries(sinew_cholmod PUBLIC m)
elseif(NOT CMAKE_CROSSCOMPILING)
  find_path(SINEW_CHOLMOD_HEADERS cholmod.h PATH_SUFFIXES suitesparse)
  find_library(SINEW_CHOLMOD_LIBRARY cholmod)
  if(SINEW_CHOLMOD_HEADERS AND SINEW_CHOLMOD_LIBRARY)
    add_library(sinew_cholmod INTERFACE)
    target_include_directories(sinew_cholmod SYSTEM INTERFACE ${SINEW_CHOLMOD_HEADERS})
    target_link_libraries(sinew_cholmod INTERFACE ${SINEW_CHOLMOD_LIBRARY})
  endif()
endif()
