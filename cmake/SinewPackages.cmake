# What the machine must have. Every sentence names the Debian package, and how to do without it.

# sinew_need(PREFIX MODULE PACKAGE WHAT WITHOUT): PkgConfig::PREFIX is MODULE as pkg-config knows it. Where it is missing,
# WHAT needs it, PACKAGE has it, and WITHOUT leaves that out.
macro(sinew_need prefix module package what without)
  find_package(PkgConfig QUIET)
  if(NOT PKG_CONFIG_FOUND)
    message(FATAL_ERROR "${what} need pkg-config to find ${module} (Debian packages pkg-config and ${package}); "
      "${without} leaves them out")
  endif()
  pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${module})
  if(NOT ${prefix}_FOUND)
    message(FATAL_ERROR "${what} need ${module} (Debian package ${package}); ${without} leaves them out")
  endif()
endmacro()

# sinew_have(PREFIX MODULE): the same where it can be done without; PREFIX_FOUND says whether it is there.
macro(sinew_have prefix module)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${module})
  endif()
endmacro()
