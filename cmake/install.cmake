# install.cmake: libraries, headers, programs, manual pages, completion, documents, scenes, examples, CMake package and
# pkg-config file.

include(CMakePackageConfigHelpers)

install(TARGETS plait_shared EXPORT plait-shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS plait_static EXPORT plait-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(program plait plait-mpi) # the second one where MPI was found
    if(TARGET ${program})
        install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    endif()
endforeach()
install(DIRECTORY include/plait DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES blender/plait_hair.py DESTINATION ${CMAKE_INSTALL_DATADIR}/plait/blender)
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/plait FILES_MATCHING PATTERN "*.yaml")

# Manual pages, completion and the schema of scenes are what the program says of itself.
if(NOT PLAIT_SANITIZE AND NOT PLAIT_COVERAGE AND NOT PLAIT_FUZZ AND NOT CMAKE_CROSSCOMPILING)
    set(share ${PROJECT_BINARY_DIR}/share)
    add_custom_command(OUTPUT ${share}/plait-scene.schema.json DEPENDS plait
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${share}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${share}
        COMMAND plait manual -o ${share}/man
        COMMAND plait completion bash > ${share}/plait
        COMMAND plait completion zsh > ${share}/_plait
        COMMAND plait completion fish > ${share}/plait.fish
        COMMAND plait schema > ${share}/plait-scene.schema.json
        COMMENT "Writing manual pages and completion" VERBATIM)
    add_custom_target(share ALL DEPENDS ${share}/plait-scene.schema.json)
    foreach(section 1 5)
        install(DIRECTORY ${share}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section}
                FILES_MATCHING PATTERN "*.${section}")
    endforeach()
    install(FILES ${share}/plait DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${share}/_plait DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${share}/plait.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
    install(FILES ${share}/plait-scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/plait)
endif()

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
