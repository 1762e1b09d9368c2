# cmake --install: headers, libraries, a CMake package with components, and a pkg-config file for each library.
include(CMakePackageConfigHelpers)

set(SINEW_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

# The core, and what can be had beside it: a component is only exported where it was built, and each has its own file
# of targets, because what one needs must not be asked of those who use another.
set(SINEW_COMPONENTS pool)
if(TARGET sinew_job)
  list(APPEND SINEW_COMPONENTS job)
endif()
if(TARGET sinew_io)
  list(APPEND SINEW_COMPONENTS io document)
endif()
if(TARGET sinew_sparse AND NOT SINEW_SUITESPARSE)
  list(APPEND SINEW_COMPONENTS sparse)
endif()
install(TARGETS ${SINEW_LIBRARIES} EXPORT sinew
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT sinew NAMESPACE sinew:: DESTINATION ${SINEW_PACKAGE_DIR} FILE sinew-targets.cmake)
foreach(component ${SINEW_COMPONENTS})
  install(TARGETS sinew_${component} EXPORT sinew-${component} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT sinew-${component} NAMESPACE sinew:: DESTINATION ${SINEW_PACKAGE_DIR}
    FILE sinew-${component}-targets.cmake)
endforeach()

install(DIRECTORY include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
  PATTERN "io.h" EXCLUDE PATTERN "document.h" EXCLUDE PATTERN "job.h" EXCLUDE)
if(TARGET sinew_job)
  install(FILES include/sinew/job.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinew)
endif()
if(TARGET sinew_io)
  install(FILES include/sinew/io.h include/sinew/document.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinew)
endif()
if(TARGET sinew_cli)
  install(TARGETS sinew_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # Where `make studio` has built it; sinew studio finds it there.
  install(DIRECTORY studio/dist/ DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/studio OPTIONAL)
endif()

configure_package_config_file(cmake/sinew-config.cmake.in ${PROJECT_BINARY_DIR}/sinew-config.cmake
  INSTALL_DESTINATION ${SINEW_PACKAGE_DIR} NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinew-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinew-config.cmake ${PROJECT_BINARY_DIR}/sinew-config-version.cmake
  DESTINATION ${SINEW_PACKAGE_DIR})

# From the .pc file back to the prefix, so that the installed tree can be moved.
file(RELATIVE_PATH SINEW_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
function(sinew_pkg_config name)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
string(REPLACE ";" ", " SINEW_PC_IO_MODULES "${SINEW_IO_MODULES}")
sinew_pkg_config(sinew)
foreach(component ${SINEW_COMPONENTS})
  sinew_pkg_config(sinew-${component})
endforeach()
