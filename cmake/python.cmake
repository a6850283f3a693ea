# python.cmake: the package `plait` for Python, in build/python, with the definitions made from the headers. It is left out
# where Python or python3-cffi is missing.

find_program(PLAIT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH) # Debian's own comes first: it has the packages
find_program(PLAIT_PYTHON python3)
set(plait_python_found 1)
if(PLAIT_PYTHON)
    execute_process(COMMAND ${PLAIT_PYTHON} -c "import cffi, pycparser, sys; print('%d.%d' % sys.version_info[:2])"
                    OUTPUT_VARIABLE PLAIT_PYTHON_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                    RESULT_VARIABLE plait_python_found)
endif()
if(NOT plait_python_found EQUAL 0)
    message(STATUS "no Python with cffi: the package for Python is not built (tools/setup.sh build installs it)")
    return()
endif()

set(python_source ${PROJECT_SOURCE_DIR}/python)
set(python_package ${PROJECT_BINARY_DIR}/python/plait)
file(GLOB python_files CONFIGURE_DEPENDS ${python_source}/plait/*.py ${python_source}/plait/py.typed)
file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/plait/*.h)
add_custom_command(OUTPUT ${python_package}/_c.py
    DEPENDS ${python_files} ${public_headers} ${python_source}/definitions.py ${CMAKE_CURRENT_LIST_FILE}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${python_package}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${python_package}
    COMMAND ${CMAKE_COMMAND} -E copy ${python_files} ${python_package}
    COMMAND ${PLAIT_PYTHON} ${python_source}/definitions.py ${PROJECT_SOURCE_DIR}/include/plait ${python_package}/_c.py
    COMMAND ${CMAKE_COMMAND} -E create_symlink $<TARGET_FILE:plait_shared> ${python_package}/$<TARGET_SONAME_FILE_NAME:plait_shared>
    COMMENT "Making the package for Python" VERBATIM)
add_custom_target(python ALL DEPENDS ${python_package}/_c.py)
add_dependencies(python plait_shared)

# Where /usr/bin/python3 of Debian looks below /usr and /usr/local. The installed package finds the library of its prefix.
install(DIRECTORY ${python_package} DESTINATION lib/python${PLAIT_PYTHON_VERSION}/dist-packages
        PATTERN "libplait.so*" EXCLUDE PATTERN "__pycache__" EXCLUDE)
