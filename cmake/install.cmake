# install.cmake: libraries, headers, program, manual pages, CMake package and pkg-config file.

include(CMakePackageConfigHelpers)

install(TARGETS plait_shared EXPORT plait-shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS plait_static EXPORT plait-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET plait)
    install(TARGETS plait RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY include/plait DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
file(GLOB man_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/*.1)
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/plait)
foreach(kind shared static)
    install(EXPORT plait-${kind} FILE plait-${kind}-targets.cmake NAMESPACE plait:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(cmake/plait-config.cmake.in plait-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(plait-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/plait-config.cmake ${PROJECT_BINARY_DIR}/plait-config-version.cmake
              cmake/dependencies.cmake DESTINATION ${package_dir})

# plait.pc finds its prefix from where it lies, so that any --prefix at install time is right.
string(REPLACE ";" " " PLAIT_OPENMP_FLAGS "${openmp_libraries}")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(PLAIT_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
else()
    file(RELATIVE_PATH up "/p/${CMAKE_INSTALL_LIBDIR}/pkgconfig" /p)
    string(REGEX REPLACE "/$" "" PLAIT_PC_PREFIX "\${pcfiledir}/${up}")
endif()
foreach(dir LIBDIR INCLUDEDIR)
    set(PLAIT_PC_${dir} "${CMAKE_INSTALL_${dir}}")
    if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
        string(PREPEND PLAIT_PC_${dir} "\${prefix}/")
    endif()
endforeach()
configure_file(cmake/plait.pc.in plait.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/plait.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
