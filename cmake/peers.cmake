# peers.cmake: programs that run other people's solvers for `plait bench peers`. Built where these are installed; our library
# and `plait` itself never link them.

if(EXISTS ${PROJECT_SOURCE_DIR}/bench/peer_siconos.c AND NOT PLAIT_SANITIZE AND NOT PLAIT_COVERAGE)
    find_path(PLAIT_SICONOS_INCLUDE SiconosConfig.h PATH_SUFFIXES siconos)
    find_path(PLAIT_SUITESPARSE_INCLUDE cs.h PATH_SUFFIXES suitesparse)
    find_library(PLAIT_SICONOS_LIBRARY siconos_numerics)
    mark_as_advanced(PLAIT_SICONOS_INCLUDE PLAIT_SUITESPARSE_INCLUDE PLAIT_SICONOS_LIBRARY)
    if(PLAIT_SICONOS_INCLUDE AND PLAIT_SUITESPARSE_INCLUDE AND PLAIT_SICONOS_LIBRARY)
        add_executable(plait-peer-siconos bench/peer_siconos.c)
        target_include_directories(plait-peer-siconos SYSTEM PRIVATE ${PLAIT_SICONOS_INCLUDE}
            ${PLAIT_SICONOS_INCLUDE}/numerics ${PLAIT_SUITESPARSE_INCLUDE})
        target_link_libraries(plait-peer-siconos PRIVATE plait_static plait_flags ${PLAIT_SICONOS_LIBRARY} m)
    endif()
endif()
