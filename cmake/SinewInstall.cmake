# cmake --install: headers, libraries, a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)

set(SINEW_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
set(SINEW_INSTALL_TARGETS ${SINEW_LIBRARIES} sinew_pool)
if(TARGET sinew_sparse AND NOT SINEW_SUITESPARSE)
  list(APPEND SINEW_INSTALL_TARGETS sinew_sparse)
endif()

install(TARGETS ${SINEW_INSTALL_TARGETS} EXPORT sinew
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
  PATTERN "io.h" EXCLUDE)
if(TARGET sinew_io)
  install(TARGETS sinew_io EXPORT sinew ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES include/sinew/io.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinew)
endif()
if(TARGET sinew_cli)
  install(TARGETS sinew_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(EXPORT sinew NAMESPACE sinew:: DESTINATION ${SINEW_PACKAGE_DIR} FILE sinew-targets.cmake)
configure_package_config_file(cmake/sinew-config.cmake.in ${PROJECT_BINARY_DIR}/sinew-config.cmake
  INSTALL_DESTINATION ${SINEW_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinew-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinew-config.cmake ${PROJECT_BINARY_DIR}/sinew-config-version.cmake
  DESTINATION ${SINEW_PACKAGE_DIR})

# From the .pc file back to the prefix, so that the installed tree can be moved.
file(RELATIVE_PATH SINEW_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/sinew.pc.in ${PROJECT_BINARY_DIR}/sinew.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sinew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
